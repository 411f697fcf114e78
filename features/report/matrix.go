package report

import (
	"slices"
	"strings"
	"time"
)

// Entry is a requirement, from the catalogue.
type Entry struct {
	ID, Kind, Says string
	Group          string // the system's name; empty: entries have no groups
	ByLoad         bool   // verified by load profiles, not by scenarios
	Clauses        []Clause
}

// Clause is a part of a requirement that has scenarios of its own.
type Clause struct {
	ID, Says string // the id includes the entry's: KF-R5.retry
}

// Outcomes that only cells have.
const (
	PassedInPart Outcome = "passed in part" // some scenarios are not applicable, or no scenario of a clause ran
	NotRun       Outcome = "not run"
)

// Matrix holds the results of every run, and of every load profile, for every requirement.
type Matrix struct {
	Targets []string // the columns; those of runs first
	Runs    []Run    // runs of scenarios, one per target
	Rows    []Row
}

// Row is one requirement.
type Row struct {
	Entry
	Cells []Cell         // one per target
	Specs []ScenarioRuns // its scenarios
	Parts []Part         // one per clause
}

// Part is one clause of a row's requirement.
type Part struct {
	Clause
	Cells []Cell // one per target on which scenarios ran
}

// Cell is the result of one run for one requirement.
type Cell struct {
	Target  string
	Outcome Outcome
	Passed  int
	Total   int
	Elapsed time.Duration
	Reasons []string // why it is not simply passed, without duplicates
}

// ScenarioRuns is one scenario with its results in all runs.
type ScenarioRuns struct {
	Scenario            // from the first run
	Runs     []Scenario // one per run; no name if it did not run
}

// NewMatrix groups runs, and the verdicts of load profiles, by the entries' ids.
func NewMatrix(entries []Entry, runs []Run, verdicts ...LoadVerdict) Matrix {
	m := Matrix{Runs: runs}
	for _, run := range runs {
		m.Targets = append(m.Targets, run.Target)
	}
	for _, e := range entries {
		row := Row{Entry: e}
		for i, run := range runs {
			found := tagged(run, e.ID)
			row.Cells = append(row.Cells, cell(run.Target, found))
			row.addScenarios(found, i, len(runs))
		}
		row.addClauses(runs)
		m.Rows = append(m.Rows, row)
	}
	m.addLoadVerdicts(verdicts)
	return m
}

// addClauses adds the row's clauses. If no scenario of a clause ran, the requirement has passed only in part.
func (r *Row) addClauses(runs []Run) {
	for _, c := range r.Clauses {
		part := Part{Clause: c}
		for i, run := range runs {
			one := cell(run.Target, tagged(run, c.ID))
			if one.Outcome == NotRun && r.Cells[i].Outcome == Passed {
				r.Cells[i].Outcome = PassedInPart
				r.Cells[i].Reasons = append(r.Cells[i].Reasons, "no scenario for "+c.ID+" ran")
			}
			part.Cells = append(part.Cells, one)
		}
		r.Parts = append(r.Parts, part)
	}
}

func tagged(run Run, id string) []Scenario {
	var found []Scenario
	for _, s := range run.Scenarios {
		if slices.Contains(s.IDs, id) {
			found = append(found, s)
		}
	}
	return found
}

func (r *Row) addScenarios(found []Scenario, run, runs int) {
	for _, s := range found {
		i := slices.IndexFunc(r.Specs, func(have ScenarioRuns) bool { return have.File == s.File && have.Name == s.Name })
		if i < 0 {
			i = len(r.Specs)
			r.Specs = append(r.Specs, ScenarioRuns{Scenario: s, Runs: make([]Scenario, runs)})
		}
		r.Specs[i].Runs[run] = s
	}
}

func cell(target string, found []Scenario) Cell {
	c := Cell{Target: target, Total: len(found)}
	count := map[Outcome]int{}
	for _, s := range found {
		count[s.Outcome]++
		c.Elapsed += s.Elapsed
		if s.Reason != "" && !slices.Contains(c.Reasons, s.Reason) {
			c.Reasons = append(c.Reasons, s.Reason)
		}
	}
	c.Passed = count[Passed]
	c.Outcome = worst(count, len(found))
	return c
}

// worst returns the worst outcome. It is not applicable only if there is no other outcome.
func worst(count map[Outcome]int, total int) Outcome {
	switch {
	case total == 0:
		return NotRun
	case count[Failed] > 0:
		return Failed
	case count[KnownDifference] > 0:
		return KnownDifference
	case count[NotApplicable] == total:
		return NotApplicable
	case count[NotApplicable] > 0:
		return PassedInPart
	}
	return Passed
}

// System returns the part of the id before the dash.
func (e Entry) System() string {
	system, _, _ := strings.Cut(e.ID, "-")
	return system
}
