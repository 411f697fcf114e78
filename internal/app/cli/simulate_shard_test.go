package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestMergingShardsOfASimulation runs two shards, merges their reports, and checks that other sets of reports are
// refused.
func TestMergingShardsOfASimulation(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	shards := map[string]*session{}
	for file, args := range map[string]string{
		"1": "phones --users 3 --duration 72h --shard 1/2", "2": "phones --users 3 --duration 72h --shard 2/2",
		"seed": "phones --users 3 --duration 72h --shard 2/2 --seed 9", "whole": "phones --users 2 --duration 72h",
		"other": "brewers --brewers 10 --duration 72h --shard 2/2",
	} {
		shards[file] = start(t, append([]string{"simulate"}, strings.Fields(args+" --report "+
			filepath.Join(dir, file))...)...)
	}
	for file, s := range shards {
		got := s.wait(t)
		if got.status != 0 || strings.Contains(got.stdout, ", shard ") == (file == "whole") {
			t.Fatalf("%s: %+v", file, got)
		}
	}
	merge := func(files string, more ...string) outcome {
		args := []string{"simulate", "merge"}
		for _, f := range strings.Fields(files) {
			args = append(args, filepath.Join(dir, f))
		}
		return runCommand(t.Context(), nil, append(args, more...)...)
	}
	report := filepath.Join(dir, "sum")
	if got := merge("2 1", "--report", report); got.status != 0 || !strings.HasPrefix(got.stdout, "3 users with ") ||
		strings.Contains(got.stdout, "shard") || !strings.Contains(got.stdout, "\nPASS: every device is as expected") {
		t.Errorf("%+v", got)
	}
	for files, want := range map[string]string{
		"1": "shard 2/2 of phones is missing", "1 1": "there twice", "1 seed": "--seed 1, and shard 2/2 has 9",
		"1 other": "is of phones, and shard 2/2 of brewers", "1 whole": "a whole simulation", "1 sum": "a whole simulation",
		"1 nowhere": "is not the result of a simulator",
	} {
		wantUsageError(t, merge(files), want)
	}
}

// TestImpossibleShardsAreRefused checks that a shard that a simulation cannot have is a usage error with the remedy.
func TestImpossibleShardsAreRefused(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"brewers --shard 5/8":                  "20 brewers can be divided into 4 shards at most: use fewer shards, or more of them",
		"people --shard 7/7":                   "30 people can be divided into 6 shards at most",
		"applicants --shard 4/4":               "3 clients can be divided into 3 shards at most",
		"phones --users 2 --shard 3/3":         "2 users can be divided into 2 shards at most",
		"phones --shard 9/8":                   "use NUMBER/OF, such as 3/8",
		"phones --shard auto/8":                "--shard auto/8 requires JOB_COMPLETION_INDEX",
		"fleet --admin-token x --shard 1/2":    "--shard requires --start",
		"fleet --admin-token x --shard auto/2": "--shard auto/2 requires JOB_COMPLETION_INDEX",
		"fleet --admin-token x --devices 2 --shard 3/3 --start 2026-11-27T00:00:00Z": "2 devices can be divided into 2 shards",
	} {
		wantUsageError(t, runCommand(t.Context(), nil, strings.Fields("simulate "+args)...), want)
	}
}

// TestShardOfAnIndexedJob checks that a pod of an Indexed Job takes the shard of its number.
func TestShardOfAnIndexedJob(t *testing.T) {
	t.Setenv(completionIndex, "2")
	got := runCommand(t.Context(), nil, "simulate", "phones", "--users", "3", "--duration", "72h", "--shard", "auto/3")
	if got.status != 0 || !strings.Contains(got.stdout, ", shard 3/3, ") {
		t.Errorf("%+v", got)
	}
	wantUsageError(t, runCommand(t.Context(), nil, "simulate", "phones", "--shard", "auto/2"), `"3/2" is not a shard`)
	t.Setenv(completionIndex, "two")
	wantUsageError(t, runCommand(t.Context(), nil, "simulate", "phones", "--shard", "auto/2"), "unset it, or set --shard")
}

// wantUsageError checks that a command was refused in one line with this text.
func wantUsageError(t *testing.T, got outcome, want string) {
	t.Helper()
	if got.status != 2 || strings.Count(got.stderr, "\n") != 1 || !strings.Contains(got.stderr, want) {
		t.Errorf("%+v, want %q", got, want)
	}
}
