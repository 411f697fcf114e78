package loadtest

import (
	"cmp"
	"fmt"
	"strings"
)

// judge decides one limit.
func judge(l Limit, r *Report) Verdict {
	m := metrics()[l.Metric]
	l = l.relaxed(m, r)
	v := Verdict{ID: l.ID, Metric: l.Metric, State: Held, Limit: strings.TrimSpace(l.bounds() + " " + m.unit)}
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
	if l.AtMost != nil && got > *l.AtMost || l.AtLeast != nil && got < *l.AtLeast {
		v.State = Missed
	}
	if m.remark != nil {
		v.Remark = m.remark(r)
	}
	return v
}

// bounds is the limit as a person reads it.
func (l Limit) bounds() string {
	switch {
	case l.AtLeast == nil:
		return "at most " + number(*l.AtMost)
	case l.AtMost == nil:
		return "at least " + number(*l.AtLeast)
	case *l.AtLeast == *l.AtMost:
		return "exactly " + number(*l.AtLeast)
	}
	return number(*l.AtLeast) + " to " + number(*l.AtMost)
}

// relaxed is what a shortened run asks of a documented rate: its few requests may be two less or more, since they are whole and
// the last is on its way when the time is over.
func (l Limit) relaxed(m metric, r *Report) Limit {
	if !m.scales || r.Quick == "" {
		return l
	}
	part := min(1, 2/r.Profile.Stages[r.Profile.peak()].requests())
	if l.AtLeast != nil {
		v := *l.AtLeast * (1 - part)
		l.AtLeast = &v
	}
	if l.AtMost != nil {
		v := *l.AtMost * (1 + part)
		l.AtMost = &v
	}
	return l
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
