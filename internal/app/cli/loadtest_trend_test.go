package cli

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/loadtest/history"
)

// TestLoadtestTrend checks that runs are added to a history, and that its trend is shown and compared with a baseline:
// a figure that got worse fails, unless it is within the tolerance.
func TestLoadtestTrend(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, profile := filepath.Join(dir, "history.jsonl"), filepath.Join(dir, "own.yaml")
	if err := os.WriteFile(profile, []byte(strings.Replace(impossible, "at_most: 0.0001", "at_most: 60000", 1)),
		0o600); err != nil {
		t.Fatal(err)
	}
	for _, commit := range []string{"aaa", "bbb"} {
		got := runCommand(t.Context(), nil, "loadtest", "run", profile, "--report", dir, "--history", file,
			"--commit", commit)
		if got.status != 0 {
			t.Fatalf("%+v", got)
		}
	}
	entries, _, err := history.ReadFile(file)
	if err != nil || len(entries) != 2 || entries[1].Commit != "bbb" || entries[0].P99 <= 0 ||
		entries[0].WriteUnits == nil {
		t.Fatalf("%+v, %v", entries, err)
	}
	slow := entries[1]
	slow.Commit, slow.P99, slow.P95, slow.P50 = "ccc", 1000*slow.P99, 1000*slow.P95, 1000*slow.P50
	if err := history.Append(file, slow); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]struct {
		status int
		says   string
	}{
		"":                                 {0, "3 commits, 3 runs: aaa to ccc"},
		"TL-L1":                            {0, "write units/request  "},
		"--baseline bbb":                   {1, "WORSE p99 ms "},
		"--baseline bbb --tolerance 1e6":   {0, "aaa to ccc"},
		"--output json":                    {0, `"commit": "bbb"`},
		"--baseline bbb --output json":     {1, `"worse": true`},
		"--baseline ccc --output json":     {1, `"not_compared": "ccc is the last commit`},
		"--baseline ccc":                   {1, "not compared with the baseline: ccc is the last commit"},
		"--baseline ddd --tolerance 0.001": {1, "not compared with the baseline: no runs of ddd"},
	} {
		got := runCommand(t.Context(), nil, append([]string{"loadtest", "trend", "--history", file},
			strings.Fields(line)...)...)
		if got.status != want.status || !strings.Contains(got.stdout, want.says) {
			t.Errorf("%s: %+v", line, got)
		}
	}
}

// TestIncompleteRunsAreSkipped checks that a run that was not written completely is named and skipped.
func TestIncompleteRunsAreSkipped(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "history.jsonl")
	text := `{"profile":"TL-L1","commit":"aaa"}` + "\n" + `{"profile":"TL-L1","comm`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got := runCommand(t.Context(), nil, "loadtest", "trend", "--history", file)
	if got.status != 0 || !strings.Contains(got.stdout, "1 commit, 1 run: aaa") ||
		got.stderr != file+": line 2 skipped: the run was not written completely\n" {
		t.Errorf("%+v", got)
	}
}

func TestInvalidTrendCommandsAreRefused(t *testing.T) {
	t.Parallel()
	empty := filepath.Join(t.TempDir(), "history.jsonl")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"":                                       "no history: set --history to a file written by tabletop loadtest run --history FILE",
		"--history " + empty + " --tolerance -1": "--tolerance -1 is out of range: use 0 or more, such as 0.2 for 20 percent",
		"--history " + empty +
			" --tolerance NaN": "--tolerance NaN is out of range: use 0 or more, such as 0.2 for 20 percent",
		"--history " + empty: empty + " has no runs: add some with tabletop loadtest run --history " +
			empty,
		"--history " + empty + ".none": "cannot read the history (open " + empty +
			".none: no such file or directory): record one with tabletop loadtest run --history FILE",
	} {
		wantRefusal(t, runCommand(t.Context(), nil, append([]string{"loadtest", "trend"}, strings.Fields(line)...)...), want)
	}
}

func TestBuildCommit(t *testing.T) {
	t.Parallel()
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "53fc355e0f5ad1b2c3d4e5f60718293a4b5c6d7e"}
	for want, settings := range map[string][]debug.BuildSetting{
		"":                   {{Key: "vcs.modified", Value: "true"}},
		"53fc355e0f5a":       {revision, {Key: "vcs.modified", Value: "false"}},
		"53fc355e0f5a-dirty": {{Key: "vcs.modified", Value: "true"}, revision},
	} {
		if got := buildCommit(settings); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
