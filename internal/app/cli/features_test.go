package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/features/report"
)

func TestFeaturesPrintResultsAndReport(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	got := runCommand(t.Context(), nil, "features", "--tags", "@TL-P3", "--report", dir)
	page := filepath.Join(dir, "selected", "index.html")
	if got.status != 0 || !strings.Contains(got.stdout, " 0 failed") || !strings.Contains(got.stdout, page) {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(page); err != nil {
		t.Error(err)
	}
}

// TestUnavailableTargetsAreRefused checks that an unusable target is a usage error of one line that names the remedy.
func TestUnavailableTargetsAreRefused(t *testing.T) {
	t.Parallel()
	for target, says := range map[string]string{
		"url=http://127.0.0.1:1":     "cannot reach DynamoDB at http://127.0.0.1:1: start it, or correct the URL",
		"cosmos=https://127.0.0.1:1": "cannot reach Cosmos DB at https://127.0.0.1:1: start it, or correct the URL",
		"azure":                      "databases on Azure may cost money: confirm with --yes-spend",
	} {
		got := runCommand(t.Context(), nil, "features", "--target", target, "--report", t.TempDir())
		if got.status != 2 || !strings.HasPrefix(got.stderr, "tabletop: --target "+target+": "+says) ||
			strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%+v", got)
		}
	}
}

// TestOneScenarioRuns runs the scenario at a line, and an example of an outline, without touching the report of all.
func TestOneScenarioRuns(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	whole := failedRun(t, dir, "Times with fewer digits sort before times with more")
	for _, c := range []struct{ args, want string }{
		{"features/telemetry/registration.feature:27", "A device is looked up by its hardware address"},
		{"features/kefir/input.wire.feature:20", `A batch whose "name" is 7 is refused`},
		{"telemetry/registration.feature --name found", "A device that never registered is not found"},
	} {
		got := runCommand(t.Context(), nil, append(strings.Fields("features --report "+dir), strings.Fields(c.args)...)...)
		if names := ranScenarios(t, dir); got.status != 0 || !slices.Equal(names, []string{c.want}) {
			t.Errorf("%s: %q, %+v", c.args, names, got)
		}
	}
	if now := readFile(t, filepath.Join(dir, "run-embedded.json")); !bytes.Equal(now, whole) {
		t.Errorf("the report of all scenarios has changed: %s", now)
	}
}

// TestFailedScenariosRunAgain runs those that failed in the last run, of all scenarios and then of selected ones, until
// none has failed.
func TestFailedScenariosRunAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	want := []string{"A device is looked up by its hardware address", "A device that never registered is not found"}
	whole := failedRun(t, dir, want...)
	failedRun(t, filepath.Join(dir, report.SelectedFolder), "The readings of a period include both ends")
	again := func() outcome { return runCommand(t.Context(), nil, "features", "--failed", "--report", dir) }
	got := again()
	if names := ranScenarios(t, dir); got.status != 0 || !slices.Equal(names, want) {
		t.Errorf("%q, %+v", names, got)
	}
	if now := readFile(t, filepath.Join(dir, "run-embedded.json")); !bytes.Equal(now, whole) {
		t.Errorf("the report of all scenarios has changed: %s", now)
	}
	if got = again(); got.status != 2 || !strings.HasPrefix(got.stderr, "tabletop: --failed: nothing to run again: no "+
		"scenario failed in the last run on embedded, of features/telemetry/registration.feature:26 "+
		"features/telemetry/registration.feature:32 at ") || !strings.HasSuffix(got.stderr, ": omit --failed to run all\n") {
		t.Errorf("%+v", got)
	}
}

// failedRun writes the report of a run of all scenarios, in which those of the telemetry system with these names
// failed, each run a second later than the one in the folder above, and returns its results.
func failedRun(t *testing.T, dir string, names ...string) []byte {
	t.Helper()
	run := report.Run{Target: "embedded", Started: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)}
	if filepath.Base(dir) == report.SelectedFolder {
		run.Started = run.Started.Add(-time.Second)
	}
	for _, name := range names {
		run.Scenarios = append(run.Scenarios, report.Scenario{System: "telemetry", File: "registration.feature", Name: name,
			Line: 1, IDs: []string{"TL-P3"}, Outcome: report.Failed})
	}
	if _, err := report.Write(dir, nil, run); err != nil {
		t.Fatal(err)
	}
	return readFile(t, filepath.Join(dir, "run-embedded.json"))
}

// ranScenarios returns the names of the scenarios in the report of the last run of selected scenarios.
func ranScenarios(t *testing.T, dir string) (names []string) {
	t.Helper()
	var run report.Run
	text := readFile(t, filepath.Join(dir, report.SelectedFolder, "run-embedded.json"))
	if err := json.Unmarshal(text, &run); err != nil {
		t.Fatal(err)
	}
	for _, s := range run.Scenarios {
		names = append(names, s.Name)
	}
	return names
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestInvalidSelectionsAreRefused checks that what selects nothing is a usage error of one line.
func TestInvalidSelectionsAreRefused(t *testing.T) {
	t.Parallel()
	none, stale, broken := t.TempDir(), t.TempDir(), t.TempDir()
	failedRun(t, stale, "renamed")
	if err := os.WriteFile(filepath.Join(broken, "run-embedded.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{"features/kefir/batches.feature:1000", "features/kefir/batches.feature has no scenario at line 1000: the nearest is at line"},
		{"features/kefir/batch.feature", `there is no feature file "features/kefir/batch.feature": the files in kefir are access.feature, `},
		{"--name a(", `--name: "a(" is not a regular expression: missing closing ): put \ before a character`},
		{"--name nobody_has_this", `--name: no scenario has a name that matches "nobody_has_this": `},
		{"--tags @TL-P3 features/kefir", "no scenario meets all of --tags @TL-P3 features/kefir: omit one of them"},
		{"--failed --report " + none, "--failed: nothing to run again: " + none +
			" has no report of a run on embedded: omit --failed to run all"},
		{"--failed --target url=http://127.0.0.1:1 --report " + stale, "--failed: nothing to run again: " + stale +
			" has no report of a run on url=http://127.0.0.1:1: omit --failed to run all"},
		{"--failed --report " + stale, `--failed: features/telemetry/registration.feature no longer has the scenario ` +
			`"renamed": run its requirement, or all scenarios`},
		{"--failed --report " + broken, "--failed: " + broken + "/run-embedded.json is not the result of a run; remove it"},
		{"--failed --report=", "--failed requires --report, the folder with the report of the last run"},
		{"--failed features/kefir", "--failed selects files itself: omit features/kefir, or --failed"},
	} {
		got := runCommand(t.Context(), nil, append([]string{"features"}, strings.Fields(c.args)...)...)
		if got.status != 2 || !strings.HasPrefix(got.stderr, "tabletop: "+c.want) || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: %+v, want %s", c.args, got, c.want)
		}
	}
}

// TestInvalidTagsAreRefused checks that tags that select nothing are a usage error of one line.
func TestInvalidTagsAreRefused(t *testing.T) {
	t.Parallel()
	for tags, says := range map[string]string{
		"@TL-X9":          `no scenario has the tags "@TL-X9": see features/catalog for the IDs`,
		"@TL-P7 &&":       `"@TL-P7 &&": "&&" is not a tag: combine tags with "and", "or", "not" and parentheses, as in `,
		"@TL-P7 or @TL-X": `no scenario has the tags "@TL-X": `,
	} {
		got := runCommand(t.Context(), nil, "features", "--tags", tags, "--report", t.TempDir())
		if got.status != 2 || !strings.HasPrefix(got.stderr, "tabletop: --tags: "+says) ||
			strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%+v", got)
		}
	}
}
