package runner

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/report"
)

func TestScenarioOutcome(t *testing.T) {
	t.Parallel()
	failure, known := errors.New("it is 3, not 2"), Difference{Reason: "answers 500"}
	for _, c := range []struct {
		name        string
		err, struck error
		known       Difference
		want        report.Outcome
		reason      string
	}{
		{name: "passed", want: report.Passed},
		{name: "failed", err: failure, want: report.Failed, reason: "it is 3, not 2"},
		{name: "left something behind", struck: failure, want: report.Failed, reason: "cleaning up: it is 3, not 2"},
		{
			name: "skipped", err: fmt.Errorf("before scenario hook failed: %w: no clock", godog.ErrSkip), known: known,
			want: report.NotApplicable, reason: "no clock",
		},
		{name: "nobody defined it", err: fmt.Errorf("%w: it snows", godog.ErrUndefined), want: report.Failed,
			reason: "undefined step: docs/steps.md lists the generic steps"},
		{name: "fails as known", err: failure, known: known, want: report.KnownDifference, reason: "answers 500"},
		{
			name: "passes, known to fail", known: known,
			want: report.Failed, reason: "it passes now: remove the known difference from known.yaml (answers 500)",
		},
		{name: "passes, known to fail sometimes", known: Difference{Reason: "answers 500", Sometimes: true},
			want: report.Passed},
	} {
		got, reason := outcomeOf(c.err, c.struck, c.known)
		if got != c.want || reason != c.reason {
			t.Errorf("%s: %s because %q, want %s because %q", c.name, got, reason, c.want, c.reason)
		}
	}
}
