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
