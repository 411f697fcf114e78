package emulator_test

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator"
)

// exploredOutput explores a program in a process of its own, and returns what it printed and whether it passed.
func exploredOutput(t testing.TB, program string, environment ...string) (output string, passed bool) {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), path, "-test.run=^TestExplored(Twice)?$", "-test.v", "-test.timeout=5m")
	cmd.Env = append(append(os.Environ(), exploredVariable+"="+program), environment...)
	text, err := cmd.CombinedOutput()
	if _, failed := err.(*exec.ExitError); err != nil && !failed {
		t.Fatal(err)
	}
	return string(text), err == nil
}

// TestExploreFindsTheBug checks the findings of each program: the names of the failed subtests, in any order.
func TestExploreFindsTheBug(t *testing.T) {
	t.Parallel()
	for program, c := range map[string]struct {
		findings []string
		story    string // is a part of the output
	}{
		"counts with ADD":         {[]string{"cut-after-commit_UpdateItem_1_counters"}, "the counter is"},
		"counts with a condition": {nil, " 0 failed"},
		"never reads": {[]string{"cut-after-commit_UpdateItem_1_counters"},
			"broken: nothing is counted twice\n"},
		"ignores UnprocessedItems": {[]string{"unprocessed_BatchWriteItem_1_counters"}, "2 items, want 3"},
		"ignores LastEvaluatedKey": {[]string{"short-page_Scan_1_counters"}, "1 items, want 2"},
		"reads a replica":          {[]string{"stale_GetItem_1_counters"}, "the item is map[]"},
		"falls back": {[]string{"throttle_TransactWriteItems_1_counters",
			"conflict_TransactWriteItems_1_counters,_cut-after-commit_UpdateItem_1_counters",
			"conflict_TransactWriteItems_1_counters,_conflict_UpdateItem_1_counters"}, "the same request again"},
		"creates a Cosmos item": {[]string{"cut-after-commit_CreateDocument_1_orders",
			"cut-before-commit_CreateDocument_1_orders", "throttle_CreateDocument_1_orders",
			"conflict_CreateDocument_1_orders", "internal-error_CreateDocument_1_orders"}, "the order cannot be placed"},
		"does not retry": {[]string{"cut-after-commit_PutItem_1_counters", "cut-before-commit_PutItem_1_counters",
			"throttle_PutItem_1_counters", "internal-error_PutItem_1_counters"}, "InternalServerError"},
		"panics after a retry":  {[]string{"cut-after-commit_PutItem_1_counters"}, "← done, but its response is lost"},
		"exits after a retry":   {[]string{"cut-after-commit_PutItem_1_counters"}, "the test process ended: exit status 3"},
		"waits after a retry":   {[]string{"cut-after-commit_PutItem_1_counters"}, "the test did not end within 5s"},
		"keeps an iterator":     {[]string{"redeliver_GetRecords_1", "clock-jump_GetRecords_1"}, "ExpiredIteratorException"},
		"keeps a connection":    {[]string{"restart_PutItem_1_counters"}, "← done, then the database restarts"},
		"has parallel subtests": {[]string{"cut-after-commit_UpdateItem_1_counters"}, "the counter is"},
	} {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			output, passed := exploredOutput(t, program)
			if passed != (len(c.findings) == 0) || !strings.Contains(output, c.story) {
				t.Errorf("passed: %v; want %v, and %q, in\n%s", passed, len(c.findings) == 0, c.story, output)
			}
			for _, f := range c.findings {
				if !strings.Contains(output, "--- FAIL: TestExplored/"+f+" ") {
					t.Errorf("%s is not found:\n%s", f, output)
				}
			}
			if n := strings.Count(output, "--- FAIL: TestExplored/"); n != len(c.findings) {
				t.Errorf("%d findings, want %d:\n%s", n, len(c.findings), output)
			}
		})
	}
}

// TestExploreDoesNotBegin explores programs that cannot be.
func TestExploreDoesNotBegin(t *testing.T) {
	t.Parallel()
	for program, reason := range map[string]string{
		"fails":        "the program fails without mishaps",
		"asks nothing": "the program sent no request for items",
	} {
		if output, passed := exploredOutput(t, program); passed || !strings.Contains(output, reason) {
			t.Errorf("%s: passed %v, want %q in\n%s", program, passed, reason, output)
		}
	}
}

// TestAFindingIsRunAlone runs the command that a finding names.
func TestAFindingIsRunAlone(t *testing.T) {
	t.Parallel()
	for plan, want := range map[string]string{
		"cut-after-commit UpdateItem 1 counters":  "the counter is",
		"cut-before-commit UpdateItem 1 counters": "--- PASS: TestExplored",
		"explode UpdateItem 1 counters":           "unknown kind",
	} {
		output, passed := exploredOutput(t, "counts with ADD", emulator.PlanVariable+"="+plan)
		if passed != strings.HasPrefix(want, "--- PASS") || !strings.Contains(output, want) {
			t.Errorf("%s: passed %v, want %q in\n%s", plan, passed, want, output)
		}
	}
}

// varying are the parts of the output that change from run to run.
var varying = regexp.MustCompile(`\d+ runs in .* a second\)|\(\d+\.\d+s\)|in \d+\.\d+s`)

// TestTheSameSeedTellsTheSameStories explores a program with one run at a time, and with four.
func TestTheSameSeedTellsTheSameStories(t *testing.T) {
	t.Parallel()
	one, _ := exploredOutput(t, "falls back", "GOMAXPROCS=1")
	four, _ := exploredOutput(t, "falls back", "GOMAXPROCS=4")
	one, four = varying.ReplaceAllString(one, ""), varying.ReplaceAllString(four, "")
	if one != four || !strings.Contains(one, "the same request again") {
		t.Errorf("one run at a time:\n%s\nfour:\n%s", one, four)
	}
}

// TestEachCallOfExploreRunsItsOwnPlans has a test with two calls, of which only the first has a finding.
func TestEachCallOfExploreRunsItsOwnPlans(t *testing.T) {
	t.Parallel()
	output, passed := exploredOutput(t, exploresTwice)
	if passed || strings.Count(output, "--- FAIL: TestExploredTwice/cut-after-commit_UpdateItem_1_counters ") != 1 ||
		strings.Count(output, "--- FAIL: TestExploredTwice/") != 1 {
		t.Errorf("passed: %v; want one finding in\n%s", passed, output)
	}
}
