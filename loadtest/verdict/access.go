package verdict

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// spanText returns a span as text.
func spanText(s profile.Span) string {
	if s.Least == s.Most {
		return number(s.Least)
	}
	return number(s.Least) + " to " + number(s.Most)
}

// holds reports whether a mean is within the span, with 5% tolerance for a single number.
func holds(s profile.Span, v float64) bool {
	if s.Least == s.Most {
		return math.Abs(v-s.Least) <= s.Least/20
	}
	return v >= s.Least && v <= s.Most
}

// accessVerdicts decides what a kind of request may do to the database.
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
	}{{"read units", a.Reads, k.ReadUnits}, {"write units", a.Writes, k.WriteUnits}, {"request units", a.Units, k.RequestUnits}} {
		if c.span == nil {
			continue
		}
		mean := c.sum / float64(max(k.Metered, 1))
		list = append(list, accessVerdict(a, c.of, spanText(*c.span)+" for one request", number(mean), holds(*c.span, mean), k.Metered, ""))
	}
	if len(a.Calls) > 0 {
		measured, wrong := compareCalls(a, k.Calls)
		list = append(list, accessVerdict(a, "calls", fmt.Sprintf("the %d access paths of the profile", len(a.Calls)), measured, wrong == "", k.Metered, wrong))
	}
	return list
}

func accessVerdict(a profile.Access, of, limit, measured string, holds bool, metered int64, remark string) result.Verdict {
	v := result.Verdict{ID: a.ID, Metric: of + " of " + a.Request, Limit: limit, Measured: measured, State: result.Held, Remark: remark}
	switch {
	case metered == 0:
		v.State, v.Measured, v.Remark = result.Unmeasured, "no meter is around the backend, or the run had none of it", ""
	case !holds:
		v.State = result.Missed
	}
	return v
}

// compareCalls returns how many of the listed calls were made as listed, and describes those that were not.
func compareCalls(a profile.Access, made []result.Call) (measured, wrong string) {
	var faults []string
	asListed := len(a.Calls)
	for path, span := range a.Calls {
		i := slices.IndexFunc(made, func(c result.Call) bool { return c.Path == path })
		times := 0.0
		if i >= 0 {
			times = made[i].Times
		}
		if !holds(span, times) {
			asListed--
			faults = append(faults, fmt.Sprintf("%s %s times, not %s", path, number(times), spanText(span)))
		}
	}
	for _, c := range made {
		if _, listed := a.Calls[c.Path]; !listed {
			faults = append(faults, fmt.Sprintf("%s %s times, which is not listed", c.Path, number(c.Times)))
		}
	}
	slices.Sort(faults)
	measured = fmt.Sprintf("%d as listed", asListed)
	if len(faults) > 0 {
		measured += "; " + faults[0]
	}
	return measured, strings.Join(faults, "; ")
}
