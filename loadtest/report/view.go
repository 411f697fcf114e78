package report

import (
	"cmp"
	"slices"

	"github.com/tabletop-db/tabletop/loadtest/result"
)

// matrix is the verdicts of all reports: one row per limit, one column per target.
type matrix struct {
	Targets []string
	Rows    []row
}

// row is one limit of one profile, with its verdict on each target, or nil if the profile did not run there.
type row struct {
	ID, Profile, Metric, Limit string
	Verdicts                   []*result.Verdict
}

func newMatrix(reports []*result.Report) matrix {
	var m matrix
	for _, r := range reports {
		if !slices.Contains(m.Targets, r.Target) {
			m.Targets = append(m.Targets, r.Target)
		}
	}
	for _, r := range reports {
		for _, v := range r.Verdicts {
			m.row(r, v).Verdicts[slices.Index(m.Targets, r.Target)] = &v
		}
	}
	slices.SortStableFunc(m.Rows, func(a, b row) int {
		return cmp.Or(b.failures()-a.failures(), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Profile, b.Profile))
	})
	return m
}

// group is the limits of one profile.
type group struct {
	Profile string
	Rows    []row
}

// Groups returns the rows by profile: profiles with a failed limit first, then by their ids.
func (m matrix) Groups() []group {
	var groups []group
	for _, r := range m.Rows {
		i := slices.IndexFunc(groups, func(g group) bool { return g.Profile == r.Profile })
		if i < 0 {
			i = len(groups)
			groups = append(groups, group{Profile: r.Profile})
		}
		groups[i].Rows = append(groups[i].Rows, r)
	}
	slices.SortStableFunc(groups, func(a, b group) int {
		return cmp.Or(b.Rows[0].failures()-a.Rows[0].failures(), cmp.Compare(a.Profile, b.Profile))
	})
	return groups
}

// Count returns the number of the group's verdicts with a state.
func (g group) Count(s string) int { return matrix{Rows: g.Rows}.count(result.State(s)) }

// failures returns 1 if the limit failed on a target, so that such rows are first, and 0 otherwise.
func (r row) failures() int {
	for _, v := range r.Verdicts {
		if v != nil && v.State == result.Fail {
			return 1
		}
	}
	return 0
}

// row returns the row of a verdict. It adds the row if necessary.
func (m *matrix) row(r *result.Report, v result.Verdict) *row {
	for i := range m.Rows {
		if x := &m.Rows[i]; x.Profile == r.Profile.ID && x.ID == v.ID && x.Metric == v.Name() && x.Limit == v.Limit {
			return x
		}
	}
	m.Rows = append(m.Rows, row{v.ID, r.Profile.ID, v.Name(), v.Limit, make([]*result.Verdict, len(m.Targets))})
	return &m.Rows[len(m.Rows)-1]
}

// count returns the number of verdicts with a state.
func (m matrix) count(s result.State) int {
	n := 0
	for _, r := range m.Rows {
		for _, v := range r.Verdicts {
			if v != nil && v.State == s {
				n++
			}
		}
	}
	return n
}
