package verdict

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/thousands"
	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// Check rejects a profile with a limit on an unknown metric.
func Check(p profile.Profile) error {
	all := metrics()
	for i, l := range p.Limits {
		if _, known := all[l.Metric]; !known {
			return fmt.Errorf("limit %d: unknown metric %q; use one of %s", i+1, l.Metric,
				strings.Join(slices.Sorted(maps.Keys(all)), ", "))
		}
	}
	return nil
}

// Evaluate returns the verdicts on all limits of a report's profile.
func Evaluate(r *result.Report) (list []result.Verdict) {
	for _, l := range r.Profile.Limits {
		list = append(list, evaluateLimit(l, r))
	}
	for _, a := range r.Profile.Access {
		list = append(list, accessVerdicts(a, r)...)
	}
	return list
}

// evaluateLimit returns the verdict on one limit.
func evaluateLimit(l profile.Limit, r *result.Report) result.Verdict {
	m := metrics()[l.Metric]
	l = withTolerance(l, m, r)
	v := result.Verdict{ID: l.ID, Metric: l.Metric, Label: Label(l.Metric), State: result.Pass,
		Limit: strings.TrimSpace(limitText(l, m.number()) + " " + m.unit)}
	got, measured := 0.0, false
	if m.isCost {
		got, measured = monthlyCost(r, l.ID)
		v.Remark = monthlyCostRemark(r, l.ID)
	} else {
		got, measured = m.value(r)
	}
	if !measured {
		v.State, v.Measured = result.NotMeasured, cmp.Or(m.notMeasured, "the target does not report it")
		return v
	}
	v.Measured = m.number()(got)
	if l.AtMost != nil && got > *l.AtMost || l.AtLeast != nil && got < *l.AtLeast {
		v.State = result.Fail
	}
	if m.remark != nil {
		v.Remark = m.remark(r)
	}
	return v
}

// limitText returns the limit as text, with numbers as the metric's.
func limitText(l profile.Limit, number func(float64) string) string {
	switch {
	case l.AtLeast == nil:
		return "at most " + number(*l.AtMost)
	case l.AtMost == nil:
		return "at least " + number(*l.AtLeast)
	case *l.AtLeast == *l.AtMost:
		return "exactly " + number(*l.AtLeast)
	}
	return number(*l.AtLeast) + "–" + number(*l.AtMost)
}

// withTolerance returns the limit for a shortened run. On a documented rate its few requests may be off by two, because
// requests are whole and the last one may still be under way when the time is over.
func withTolerance(l profile.Limit, m metric, r *result.Report) profile.Limit {
	if !m.scalesWithRate || r.Shortened == "" {
		return l
	}
	part := min(1, 2/r.Profile.Stages[r.Profile.Peak()].Requests())
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

// number formats a figure with only its significant digits, and commas between thousands.
func number(v float64) string {
	if v >= 1 {
		return thousands.Significant(v, 3)
	}
	return thousands.Significant(v, 2)
}

// Scaled returns the profile with the limits of a run at this multiple of its rates: limits on rates and sizes scale.
func Scaled(p profile.Profile, scale float64) profile.Profile {
	if !p.ScalesBy(scale) {
		return p
	}
	p.Limits = append([]profile.Limit(nil), p.Limits...)
	for i, l := range p.Limits {
		p.Limits[i] = scaledLimit(l, scale)
	}
	return p
}

// scaledLimit returns the limit of a run scaled by this factor; most limits do not change.
func scaledLimit(l profile.Limit, scale float64) profile.Limit {
	m := metrics()[l.Metric]
	for _, bound := range []struct {
		at    **float64
		along bool
	}{{&l.AtLeast, m.scalesWithRate || m.scalesWithPopulation}, {&l.AtMost, m.scalesWithRate || m.scalesWithPopulation}} {
		if *bound.at != nil && bound.along {
			v := **bound.at * scale
			*bound.at = &v
		}
	}
	return l
}

// WithoutMaximumRates returns the profile without its upper limits on rates.
func WithoutMaximumRates(p profile.Profile) profile.Profile {
	all, limits := metrics(), []profile.Limit{}
	for _, l := range p.Limits {
		if all[l.Metric].isRate() {
			l.AtMost = nil
		}
		if l.AtMost != nil || l.AtLeast != nil {
			limits = append(limits, l)
		}
	}
	p.Limits = limits
	return p
}

// inMilliseconds reports whether a verdict is on a latency, which is the first to fail on a machine with other work.
func inMilliseconds(v result.Verdict) bool { return metrics()[v.Metric].unit == "ms" }

// MarkUndecided makes those failed limits NotMeasured that do not decide about their requirement: latency and rate of a
// shortened run, which are not those of the documented load, unless strict, and latency on a machine that also does
// other work.
func MarkUndecided(r *result.Report, strict, sharedMachine bool) {
	for i := range r.Verdicts {
		v := &r.Verdicts[i]
		switch {
		case v.State != result.Fail:
			continue
		case r.Shortened != "" && !strict && metrics()[v.Metric].isTime():
			v.Undecided = "the run was shortened"
		case sharedMachine && inMilliseconds(*v):
			v.Undecided = "the machine also did other work"
		default:
			continue
		}
		v.State = result.NotMeasured
	}
}

// OnlyTimeFailed reports whether limits failed, and all of them on latency or rate: on a busy machine these may fail,
// and pass at another attempt. Limits on lost data, errors or units have the same result at every attempt.
func OnlyTimeFailed(r *result.Report) bool {
	failed := r.Failed()
	for _, v := range failed {
		if !metrics()[v.Metric].isTime() {
			return false
		}
	}
	return len(failed) > 0
}
