package report

import "slices"

// Group is the rows of one system.
type Group struct {
	Name string // empty: the entries have no groups
	ID   string // the part of the ids before the dash
	Rows []Row
}

// Groups returns the rows by the groups of their entries, in the order of their first rows.
func (m Matrix) Groups() []Group {
	var all []Group
	for _, r := range m.Rows {
		i := 0
		for i < len(all) && all[i].Name != r.Group {
			i++
		}
		if i == len(all) {
			all = append(all, Group{Name: r.Group, ID: r.System()})
		}
		all[i].Rows = append(all[i].Rows, r)
	}
	return all
}

// Tally counts requirements by their outcome on one target.
type Tally struct {
	Total            int // requirements
	Passed           int // passed, even if only in part
	Failed           int // failed
	KnownDifferences int // known differences
	NotApplicable    int // not applicable: the target lacks what they need
	NoResult         int // not run, or not measured
}

// Outcome returns the outcome that the counted requirements have together.
func (t Tally) Outcome() Outcome {
	switch {
	case t.Failed > 0:
		return Failed
	case t.KnownDifferences > 0:
		return KnownDifference
	case t.Passed == 0 && t.NotApplicable > 0:
		return NotApplicable
	case t.Passed == 0:
		return NotRun
	case t.Passed < t.Total:
		return PassedInPart
	}
	return Passed
}

// Tally counts the group's requirements of these kinds on the target of a column. Without kinds it counts all.
func (g Group) Tally(column int, kinds ...string) Tally {
	var t Tally
	for _, r := range g.Rows {
		if !among(r.Kind, kinds) {
			continue
		}
		t.Total++
		switch r.Cells[column].Outcome {
		case Passed, PassedInPart:
			t.Passed++
		case Failed:
			t.Failed++
		case KnownDifference:
			t.KnownDifferences++
		case NotApplicable:
			t.NotApplicable++
		default:
			t.NoResult++
		}
	}
	return t
}

func among(kind string, kinds []string) bool {
	for _, k := range kinds {
		if k == kind {
			return true
		}
	}
	return len(kinds) == 0
}

// Uncovered returns the requirements and clauses without a result on any target: no scenario or profile has the id, or
// none of them was selected.
func (m Matrix) Uncovered() []Entry {
	var entries []Entry
	for _, r := range m.Rows {
		if !hasResult(r.Cells) {
			entries = append(entries, r.Entry)
			continue
		}
		for _, p := range r.Parts {
			if !hasResult(p.Cells) {
				entries = append(entries, Entry{ID: p.ID, Kind: r.Kind, Says: p.Says, Group: r.Group})
			}
		}
	}
	return entries
}

func hasResult(cells []Cell) bool {
	return slices.ContainsFunc(cells, func(c Cell) bool { return c.Outcome != NotRun })
}

// Clauses returns the number of clauses of all requirements.
func (m Matrix) Clauses() int {
	n := 0
	for _, r := range m.Rows {
		n += len(r.Parts)
	}
	return n
}
