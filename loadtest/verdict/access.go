package verdict

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/thousands"
	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// spanText formats a span, such as 2 or 2–3.
func spanText(s profile.Span) string {
	if s.Min == s.Max {
		return number(s.Min)
	}
	return number(s.Min) + "–" + number(s.Max)
}

// within reports whether a mean is within the span, with 5% tolerance for a single number.
func within(s profile.Span, v float64) bool {
	if s.Min == s.Max {
		return math.Abs(v-s.Min) <= s.Min/20
	}
	return v >= s.Min && v <= s.Max
}

// accessVerdicts returns the verdicts on the database calls of a kind of request, and on the units they consume.
func accessVerdicts(a profile.Access, r *result.Report) (list []result.Verdict) {
	i := slices.IndexFunc(r.Kinds, func(k result.KindStats) bool { return k.Request == a.Request })
	var k result.KindStats
	if i >= 0 {
		k = r.Kinds[i]
	}
	for _, c := range []struct {
		of   string
		span *profile.Span
		sum  float64
	}{{"read units", a.Reads, k.ReadUnits}, {"write units", a.Writes, k.WriteUnits}, {"request units", a.Units,
		k.RequestUnits}} {
		if c.span == nil {
			continue
		}
		mean := c.sum / float64(max(k.Metered, 1))
		list = append(list, accessVerdict(a, c.of, spanText(*c.span)+" per request", number(mean), within(*c.span, mean),
			k.Metered, ""))
	}
	if len(a.Calls) > 0 {
		measured, mismatches := compareCalls(a, k.Calls)
		list = append(list, accessVerdict(a, "database calls", thousands.Sprintf("%d as listed in the profile", len(a.Calls)),
			measured, mismatches == "", k.Metered, mismatches))
	}
	return list
}

func accessVerdict(a profile.Access, of, limit, measured string, holds bool, metered int64,
	remark string) result.Verdict {
	v := result.Verdict{ID: a.ID, Metric: a.Request + ": " + of, Limit: limit, Measured: measured, State: result.Pass,
		Remark: remark}
	switch {
	case metered == 0:
		v.State, v.Measured, v.Remark = result.NotMeasured, "needs a backend started by this run, and at least one "+
			a.Request+" request", ""
	case !holds:
		v.State = result.Fail
	}
	return v
}

// compareCalls returns how many of the listed calls were made as often as listed, and describes the mismatches.
func compareCalls(a profile.Access, made []result.Call) (measured, mismatches string) {
	var list []string
	matching := len(a.Calls)
	for path, span := range a.Calls {
		i := slices.IndexFunc(made, func(c result.Call) bool { return c.Path == path })
		times := 0.0
		if i >= 0 {
			times = made[i].Times
		}
		if !within(span, times) {
			matching--
			list = append(list, fmt.Sprintf("%s: %s per request, expected %s", path, number(times), spanText(span)))
		}
	}
	for _, c := range made {
		if _, listed := a.Calls[c.Path]; !listed {
			list = append(list, fmt.Sprintf("%s: %s per request, not listed", c.Path, number(c.Times)))
		}
	}
	slices.Sort(list)
	measured = thousands.Sprintf("%d match", matching)
	if len(list) > 0 {
		measured += "; " + list[0]
	}
	return measured, strings.Join(list, "; ")
}
