package loadtest

import (
	"cmp"
	"fmt"
	"strings"
)

// judge decides one limit.
func judge(l Limit, r *Report) Verdict {
	m := metrics()[l.Metric]
	v := Verdict{ID: l.ID, Metric: l.Metric, State: Held}
	bound, relation := l.AtMost, "at most"
	if l.AtLeast != nil {
		bound, relation = l.AtLeast, "at least"
	}
	if m.scales && l.AtLeast != nil && r.Quick != "" {
		relaxed := *bound * r.slack()
		bound = &relaxed
	}
	v.Limit = strings.TrimSpace(fmt.Sprintf("%s %s %s", relation, number(*bound), m.unit))
	got, measured := 0.0, false
	if m.dollars {
		got, measured = dollars(r, l.ID)
		v.Remark = dollarsRemark(r, l.ID)
	} else {
		got, measured = m.of(r)
	}
	if !measured {
		v.State, v.Measured = Unmeasured, cmp.Or(m.absent, "not measured on this target")
		return v
	}
	v.Measured = number(got)
	if l.AtMost != nil && got > *bound || l.AtLeast != nil && got < *bound {
		v.State = Missed
	}
	if m.remark != nil {
		v.Remark = m.remark(r)
	}
	return v
}

// slack is what a shortened run asks of a documented rate: its few requests may fall short of it by two, since they are
// whole and the last is on its way when the time is over.
func (r *Report) slack() float64 {
	return max(0, 1-2/r.Profile.Stages[r.Profile.peak()].requests())
}

// number writes a figure with as many digits as say something.
func number(v float64) string {
	switch {
	case v == float64(int64(v)):
		return fmt.Sprintf("%d", int64(v))
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 1:
		return fmt.Sprintf("%.1f", v)
	default:
		return fmt.Sprintf("%.2g", v)
	}
}
