package report

import (
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/junit"
)

// JUnit returns the run as JUnit XML, with one suite per feature and one case per scenario. A scenario that is not
// applicable, or a known difference, is skipped, with the reason.
func (r Run) JUnit() ([]byte, error) {
	all := junit.New("tabletop features on "+r.Target, r.Started, r.Elapsed)
	for _, s := range r.Scenarios {
		all.Add(s.Feature, junitCase(s), s.Elapsed)
	}
	return all.XML()
}

func junitCase(s Scenario) junit.Case {
	c := junit.Case{Class: s.System + "." + strings.TrimSuffix(s.File, ".feature"), Name: s.Name,
		Out: strings.Join(s.IDs, " ") + "\n" + s.Text()}
	switch s.Outcome {
	case Failed:
		c.Failure = &junit.Reason{Message: s.Reason}
	case NotApplicable, KnownDifference:
		c.Skipped = &junit.Reason{Message: string(s.Outcome) + ": " + s.Reason}
	}
	return c
}
