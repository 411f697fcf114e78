package report

import "slices"

// LoadVerdict is the verdict on one limit of a load profile on one target.
type LoadVerdict struct {
	ID      string // catalogue id
	Target  string
	Outcome Outcome // Passed, Failed or NotMeasured
	Text    string  // the measured value and the limit
}

// NotMeasured is the outcome of a limit that a load profile could not measure.
const NotMeasured Outcome = "not measured"

// addLoadVerdicts adds the verdicts of load profiles to the rows of load and cost, and columns for targets on which no
// scenarios ran.
func (m *Matrix) addLoadVerdicts(verdicts []LoadVerdict) {
	for _, v := range verdicts {
		if !slices.Contains(m.Targets, v.Target) {
			m.Targets = append(m.Targets, v.Target)
			for i := range m.Rows {
				m.Rows[i].Cells = append(m.Rows[i].Cells, Cell{Target: v.Target, Outcome: NotRun})
			}
		}
		column := slices.Index(m.Targets, v.Target)
		for i := range m.Rows {
			if m.Rows[i].ID == v.ID && m.Rows[i].ByLoad {
				m.Rows[i].Cells[column].add(v)
			}
		}
	}
}

// add adds a verdict to the cell, whose outcome is the worst verdict: failed, then not measured.
func (c *Cell) add(v LoadVerdict) {
	c.Total++
	if v.Outcome == Passed {
		c.Passed++
	}
	severity := map[Outcome]int{NotRun: 0, Passed: 1, NotMeasured: 2, Failed: 3}
	if severity[v.Outcome] > severity[c.Outcome] {
		c.Outcome = v.Outcome
	}
	if v.Outcome != Passed && v.Text != "" {
		c.Reasons = append(c.Reasons, v.Text)
	}
}
