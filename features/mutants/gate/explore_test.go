package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/features/mutants"
)

const foundOutput = `=== RUN   TestExplore
    explore_test.go:11: 13 runs in 37ms
        Reproduce: TABLETOP_EXPLORE_PLAN='cut-after-commit UpdateItem 1 counters, throttle Query 2 a%2Cb' go test -run X
--- FAIL: TestExplore (0.04s)
`

// TestTheFirstPlanIsRead reads the plan of a finding from the output of a test.
func TestTheFirstPlanIsRead(t *testing.T) {
	t.Parallel()
	p, _ := reproduced(strings.NewReader(foundOutput))
	if want := "cut-after-commit UpdateItem 1 counters, throttle Query 2 a%2Cb"; p.Text() != want {
		t.Errorf("plan %q, want %q", p.Text(), want)
	}
	if p, last := reproduced(strings.NewReader("--- FAIL: TestExplore\nboom\n")); p != nil || last[1] != "boom" {
		t.Errorf("plan %v, last lines %q", p, last)
	}
}

// TestOnlyFindingsPass checks that a mutant that is not found, or that proves nothing, fails the gate.
func TestOnlyFindingsPass(t *testing.T) {
	t.Parallel()
	plan, _ := reproduced(strings.NewReader(foundOutput))
	known := mutants.Mutant{ID: "m", Hidden: "It takes three mishaps."}
	for _, of := range []struct {
		exploration
		passes bool
	}{
		{exploration{Plan: plan}, true},
		{exploration{}, false},
		{exploration{Plan: plan, Err: errors.New("it takes 3 mishaps")}, false},
		{exploration{Mutant: known}, true},
		{exploration{Mutant: known, Plan: plan}, false},
	} {
		if of.passed() != of.passes {
			t.Errorf("%s: passed is %v", of.verdict(), of.passed())
		}
		if err := writeExplorations(t.TempDir(), []exploration{of.exploration}); (err == nil) != of.passes {
			t.Errorf("%s: error %v", of.verdict(), err)
		}
	}
}
