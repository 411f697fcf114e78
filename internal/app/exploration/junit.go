package exploration

import (
	"github.com/tabletop-db/tabletop/internal/explore"
	"github.com/tabletop-db/tabletop/internal/util/junit"
)

// JUnit returns the report as JUnit XML: a case for each operation and kind of mishap, and one for each finding of
// several mishaps. A known finding, and a mishap that was not reached, is skipped.
func (r *Report) JUnit() ([]byte, error) {
	const suite = "operations and mishaps"
	all := junit.New("tabletop explore -- "+commandLine(r.Command), r.Started, r.Elapsed)
	for _, row := range r.Matrix {
		for _, kind := range r.Kinds() {
			if row.Verdicts[kind] != "" {
				all.Add(suite, r.junitCase(row.Target, kind, row.Verdicts[kind]), 0)
			}
		}
	}
	for _, f := range r.Result.Findings {
		if len(f.Plan) > 1 {
			all.Add("several mishaps", r.junitFinding(junit.Case{Class: "several mishaps", Name: f.Plan.Text()}, f), 0)
		}
	}
	return all.XML()
}

// junitCase returns the case of a kind of mishap at a target.
func (r *Report) junitCase(t explore.Target, kind explore.Kind, v explore.Verdict) junit.Case {
	c := junit.Case{Class: t.String(), Name: string(kind)}
	for _, f := range r.Result.Findings {
		if len(f.Plan) == 1 && f.Plan[0].Target == t && f.Plan[0].Do == kind {
			return r.junitFinding(c, f)
		}
	}
	if v == explore.NotReached {
		c.Skipped = &junit.Reason{Message: string(v)}
	}
	return c
}

func (r *Report) junitFinding(c junit.Case, f *explore.Finding) junit.Case {
	reason := &junit.Reason{Message: f.Plan.String() + ": " + f.Outcome.Reason, Text: f.Story()}
	if r.IsKnown(f) {
		c.Skipped = reason
	} else {
		c.Failure = reason
	}
	return c
}
