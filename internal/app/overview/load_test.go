package overview

import (
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/features/report"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// TestUndecidedLimitsAreNotMeasured checks that the failed latency of a shortened run fails no requirement.
func TestUndecidedLimitsAreNotMeasured(t *testing.T) {
	t.Parallel()
	for undecided, want := range map[string]report.Outcome{
		"": report.Failed, "the run was shortened": report.NotMeasured,
	} {
		v := newVerdictOn(result.Verdict{State: result.Fail, Undecided: undecided})
		if v.Outcome != want || !strings.HasSuffix(v.Remark, undecided) {
			t.Errorf("%q: %+v, want %s", undecided, v, want)
		}
	}
}

// TestOutcomeOfALoadRequirement checks that it is the worst outcome of its limits.
func TestOutcomeOfALoadRequirement(t *testing.T) {
	t.Parallel()
	limitOf := func(o report.Outcome) limit { return limit{Verdicts: []*verdictOn{nil, {Outcome: o}}} }
	for _, c := range []struct {
		limits []limit
		want   report.Outcome
	}{
		{nil, report.NotRun},
		{[]limit{limitOf(report.Passed)}, report.Passed},
		{[]limit{limitOf(report.NotMeasured), limitOf(report.Passed)}, report.NotMeasured},
		{[]limit{limitOf(report.Passed), limitOf(report.Failed), limitOf(report.NotMeasured)}, report.Failed},
	} {
		if got := (loadRequirement{Profiles: []profile{{Limits: c.limits}}}).Outcome(); got != c.want {
			t.Errorf("%d limits: %s, want %s", len(c.limits), got, c.want)
		}
	}
}
