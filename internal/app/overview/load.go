package overview

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/features/report"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// loadRequirement is one requirement on load or cost, with the results of the profiles that decide it.
type loadRequirement struct {
	report.Entry
	Profiles []profile
}

// Outcome returns the worst outcome of the limits: failed, then not measured, or not run if there are none.
func (f loadRequirement) Outcome() report.Outcome {
	severity := map[report.Outcome]int{report.Passed: 1, report.NotMeasured: 2, report.Failed: 3}
	worst := report.NotRun
	for _, p := range f.Profiles {
		for _, l := range p.Limits {
			for _, v := range l.Verdicts {
				if v != nil && severity[v.Outcome] > severity[worst] {
					worst = v.Outcome
				}
			}
		}
	}
	return worst
}

// profile is one load profile with its runs on all targets.
type profile struct {
	ID, Title, Figure, Method string
	Targets                   []string
	Runs                      []*result.Report // one per target
	Limits                    []limit
}

// limit is one limit of a profile, with its verdict on each of the profile's targets; nil if there is none.
type limit struct {
	Metric, Limit string
	Verdicts      []*verdictOn
}

// verdictOn is a verdict as one of the page's outcomes.
type verdictOn struct {
	result.Verdict
	Outcome report.Outcome
}

// loadRequirements returns the requirements that load profiles verify, in the catalogue's order. One without results
// has no profiles.
func (o *Overview) loadRequirements() []loadRequirement {
	var all []loadRequirement
	for _, e := range o.Entries {
		f := loadRequirement{Entry: e}
		for _, l := range o.Loads {
			f.add(l)
		}
		if e.ByLoad || len(f.Profiles) > 0 {
			all = append(all, f)
		}
	}
	return all
}

func (f *loadRequirement) add(l *result.Report) {
	decides := slices.ContainsFunc(l.Verdicts, func(v result.Verdict) bool { return v.ID == f.Entry.ID })
	if !decides {
		return
	}
	i := slices.IndexFunc(f.Profiles, func(p profile) bool { return p.ID == l.Profile.ID })
	if i < 0 {
		i = len(f.Profiles)
		f.Profiles = append(f.Profiles, profile{ID: l.Profile.ID, Title: l.Profile.Title, Figure: l.Profile.Figure,
			Method: l.Profile.Method})
	}
	f.Profiles[i].add(l, f.Entry.ID)
}

func (p *profile) add(l *result.Report, id string) {
	column := len(p.Targets)
	p.Targets, p.Runs = append(p.Targets, l.Target), append(p.Runs, l)
	for _, v := range l.Verdicts {
		if v.ID != id {
			continue
		}
		i := slices.IndexFunc(p.Limits, func(x limit) bool { return x.Metric == v.Name() && x.Limit == v.Limit })
		if i < 0 {
			i = len(p.Limits)
			p.Limits = append(p.Limits, limit{Metric: v.Name(), Limit: v.Limit})
		}
		for len(p.Limits[i].Verdicts) <= column {
			p.Limits[i].Verdicts = append(p.Limits[i].Verdicts, nil)
		}
		p.Limits[i].Verdicts[column] = newVerdictOn(v)
	}
}

// loadVerdicts returns the verdicts of all load profiles, for the matrix.
func (o *Overview) loadVerdicts() []report.LoadVerdict {
	var all []report.LoadVerdict
	for _, l := range o.Loads {
		for _, v := range l.Verdicts {
			all = append(all, report.LoadVerdict{
				ID: v.ID, Target: l.Target, Outcome: outcome(v), Text: l.Profile.ID + ": " + v.Name() + " " + v.Measured +
					", " + v.Limit,
			})
		}
	}
	return all
}

// outcome returns a verdict as an outcome of its requirement, which an undecided limit does not fail.
func outcome(v result.Verdict) report.Outcome {
	switch {
	case v.State == result.Pass:
		return report.Passed
	case v.State == result.Fail && v.Undecided == "":
		return report.Failed
	}
	return report.NotMeasured
}

// newVerdictOn returns a verdict with its outcome. The remark tells why a limit is undecided.
func newVerdictOn(v result.Verdict) *verdictOn {
	if v.Undecided != "" {
		v.Remark = strings.TrimPrefix(v.Remark+"; outside the limit, but "+v.Undecided, "; ")
	}
	return &verdictOn{v, outcome(v)}
}

// documents returns the documented costs, each with the target on which its units were measured.
func (o *Overview) documents() []measuredCost {
	var all []measuredCost
	for _, l := range o.Loads {
		for _, d := range l.Documents {
			all = append(all, measuredCost{d, l.Target})
		}
	}
	slices.SortStableFunc(all, func(a, b measuredCost) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

type measuredCost struct {
	result.DocumentCost
	Target string
}
