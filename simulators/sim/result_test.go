package sim_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

type jar struct {
	ID    string `json:"id,omitempty"`
	Size  int    `json:"size"`
	Owner string `json:"owner,omitempty"`
}

func compareJars(got ...jar) sim.Result {
	l := sim.NewLedger([]string{"jars bought", "jars broken"}, []string{"jars as expected"}, sim.CompareFaults())
	l.CountAction("jars bought")
	l.CountAction("jars bought")
	l.CountAction("jars lent")
	want := map[string]jar{"a": {Size: 1}, "b": {Size: 2}}
	sim.Compare(l, "jar", "jars", want, got, func(j jar) string { return j.ID })
	res := sim.Result{Simulation: "1 cellar", PassMessage: "every jar is there",
		Run: sim.Run{Seed: 3, From: start(), To: start().Add(36 * time.Hour), WallSeconds: 1.26, Requests: 9,
			ResponsesLost: 1, Reconciled: true}}
	l.CopyTo(&res)
	return res
}

const wantText = `1 cellar, 36h0m0s simulated in 1.3s, seed 3
  2 jars bought
  0 jars broken
  1 jars lent
  9 requests: 0 failed, 1 responses lost
  2 jars as expected
  0 lost
  0 duplicated
  0 changed
  0 unexpected
PASS: every jar is there
`

func TestResultAsText(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := compareJars(jar{"a", 1, "Ada"}, jar{"b", 2, ""}).WriteText(&b); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wantText, b.String()); diff != "" {
		t.Error(diff)
	}
}

func TestResultOfFaults(t *testing.T) {
	t.Parallel()
	res := compareJars(jar{"a", 5, ""}, jar{"a", 5, ""}, jar{"c", 1, ""})
	want := []string{"changed: jar a: size is 5, not 1", "duplicated: jar a", "lost: jar b", "unexpected: jar c"}
	if diff := cmp.Diff(want, res.Faults); diff != "" {
		t.Error(diff)
	}
	if err := res.Err(); err == nil || !strings.HasPrefix(err.Error(), "4 differences") {
		t.Error(err)
	}
	if err := (sim.Result{Simulation: "1 cellar"}).Err(); err == nil {
		t.Error("what was not reconciled passes")
	}
}

func TestDifferences(t *testing.T) {
	t.Parallel()
	want := map[string]any{"a": "x", "b": 1, "c": false, "d": "", "e": []int{1}, "f": "y"}
	got := map[string]any{"a": "x", "b": 1.0, "e": []int{2}, "d": "z", "more": 1}
	if diff := cmp.Diff([]string{`d is z, not ""`, "e is [2], not [1]", "f is absent, not y"},
		sim.Differences(want, got)); diff != "" {
		t.Error(diff)
	}
}

func TestResultAsJSON(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "result.json")
	if err := sim.WriteJSONFile(file, compareJars()); err != nil {
		t.Error(err)
	}
	var b bytes.Buffer
	if err := compareJars().WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var back sim.Result
	if err := json.Unmarshal(b.Bytes(), &back); err != nil || len(back.Checks) != 5 || back.Checks[1].N != 2 ||
		!back.Checks[1].Fault {
		t.Errorf("%v %+v", err, back)
	}
}

func TestProgressInALine(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	show, done := sim.ShowProgress(&b)
	show(sim.Progress{At: start(), Simulated: start(), Simulation: "12 people", Requests: 1234, RequestsPerSec: 56.7,
		Errors: 8, ResponsesLost: 9})
	done()
	if b.String() != "simulated 2026-03-01 08:00  12 people  1,234 requests  57/s  8 failed  9 responses lost\n" {
		t.Errorf("%q", b.String())
	}
}

// TestAResultThatCannotBeWrittenLeavesTheEarlierOne has a result that JSON cannot express.
func TestAResultThatCannotBeWrittenLeavesTheEarlierOne(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "brewers.json")
	if err := sim.WriteJSONFile(name, sim.Result{Simulation: "2 brewers"}); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := sim.WriteJSONFile(name, sim.Run{WallSeconds: math.Inf(1)}); err == nil {
		t.Error("an infinite time is written")
	}
	if after, err := os.ReadFile(name); err != nil || string(after) != string(before) {
		t.Errorf("the file has %q, %v; want %q", after, err, before)
	}
}
