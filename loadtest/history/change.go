package history

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/loadtest/result"
	"github.com/tabletop-db/tabletop/loadtest/verdict"
)

// metric is a measured value of runs.
type metric struct {
	name         string
	higherBetter bool
	value        func(Entry) (float64, bool)
}

func metrics() []metric {
	sure := func(f func(Entry) float64) func(Entry) (float64, bool) {
		return func(e Entry) (float64, bool) { return f(e), true }
	}
	some := func(f func(Entry) *float64) func(Entry) (float64, bool) {
		return func(e Entry) (float64, bool) {
			if v := f(e); v != nil {
				return *v, true
			}
			return 0, false
		}
	}
	return []metric{
		{name: "requests/s", higherBetter: true, value: sure(func(e Entry) float64 { return e.Rate })},
		{name: "p50 ms", value: sure(func(e Entry) float64 { return e.P50 })},
		{name: "p95 ms", value: sure(func(e Entry) float64 { return e.P95 })},
		{name: "p99 ms", value: sure(func(e Entry) float64 { return e.P99 })},
		{name: "read units/request", value: some(func(e Entry) *float64 { return e.ReadUnits })},
		{name: "write units/request", value: some(func(e Entry) *float64 { return e.WriteUnits })},
		{name: "RU/request", value: some(func(e Entry) *float64 { return e.RequestUnits })},
		{name: "dollars/month", value: some(func(e Entry) *float64 { return e.MonthDollars })},
		{name: "failed limits", value: sure(func(e Entry) float64 { return float64(len(e.Failed)) })},
	}
}

// Spread is the range of a metric over all runs of a commit.
type Spread struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
}

// spread returns the spread of a metric, and false if no run has it.
func (c Commit) spread(f metric) (Spread, bool) {
	var all []float64
	for _, e := range c.Runs {
		if v, has := f.value(e); has {
			all = append(all, v)
		}
	}
	if len(all) == 0 {
		return Spread{}, false
	}
	slices.Sort(all)
	n := len(all)
	return Spread{Median: (all[(n-1)/2] + all[n/2]) / 2, Min: all[0], Max: all[n-1]}, true
}

// Change is the change of a metric between two commits.
type Change struct {
	Metric string `json:"metric"`
	Before Spread `json:"before"`
	Now    Spread `json:"now"`
	// Worsening is how many times worse the median is: above 1 it got worse, below 1 better. It is infinite, and null in
	// JSON, if the median got worse from 0.
	Worsening float64 `json:"worsening"`
	// Worse is set if the median is worse by more than the tolerance and every run of one commit is worse than all runs
	// of the other. Runs that overlap are noise.
	Worse bool `json:"worse"`
	Noise bool `json:"noise"` // the median is worse by more than the tolerance, but the runs overlap
}

// MarshalJSON writes the change with null for an infinite worsening, because JSON has no such number.
func (c Change) MarshalJSON() ([]byte, error) {
	type fields Change
	out := struct {
		fields
		Worsening *float64 `json:"worsening"`
	}{fields: fields(c)}
	if !math.IsInf(c.Worsening, 1) {
		out.Worsening = &c.Worsening
	}
	return json.Marshal(out)
}

// Against compares the last commit with an earlier one, given by a prefix of its id. If they cannot be compared, why is
// the reason.
func (t Trend) Against(baseline string, tolerance float64) (changes []Change, why string) {
	before, found := t.find(baseline)
	now := t.Commits[len(t.Commits)-1]
	other := slices.IndexFunc(t.otherSettings, func(e Entry) bool {
		return e.Commit != now.ID && strings.HasPrefix(e.Commit, baseline)
	})
	switch {
	case found && now.ID != baseline:
		return changesOf(before, now, tolerance), ""
	case other >= 0 && now.ID != baseline:
		return nil, fmt.Sprintf("%s ran with another setting: %s", baseline, t.otherSettings[other].differs(t.Setting))
	case strings.HasPrefix(now.ID, baseline):
		return nil, now.ID + " is the last commit: run the profile at another one"
	}
	return nil, "no runs of " + baseline
}

func changesOf(before, now Commit, tolerance float64) (list []Change) {
	for _, f := range metrics() {
		a, was := before.spread(f)
		b, is := now.spread(f)
		if was && is {
			list = append(list, f.change(a, b, tolerance))
		}
	}
	return list
}

func (f metric) change(before, now Spread, tolerance float64) Change {
	worsening, apart := ratio(now.Median, before.Median), now.Min > before.Max
	if f.higherBetter {
		worsening, apart = ratio(before.Median, now.Median), now.Max < before.Min
	}
	over := worsening > 1+tolerance
	return Change{Metric: f.name, Before: before, Now: now, Worsening: worsening, Worse: over && apart,
		Noise: over && !apart}
}

func ratio(a, b float64) float64 {
	switch {
	case a == b:
		return 1
	case b == 0:
		return math.Inf(1)
	}
	return a / b
}

// failed returns the names of the metrics of the limits that failed in the runs of a commit, each once.
func (c Commit) failed() string {
	var list []string
	for _, e := range c.Runs {
		for _, metric := range e.Failed {
			list = append(list, verdict.Label(metric))
		}
	}
	slices.Sort(list)
	return strings.Join(slices.Compact(list), ", ")
}

// passed reports whether all runs of a commit passed.
func (c Commit) passed() bool {
	return !slices.ContainsFunc(c.Runs, func(e Entry) bool { return e.Verdict == result.Fail })
}
