package report

import "slices"

// Proof is the verdict of one limit of a load profile on one target.
type Proof struct {
	ID      string // catalogue id
	Target  string
	Outcome Outcome // Held, Missed or Unmeasured
	Says    string  // the measured and the allowed values
}

// The outcomes of load profiles.
const (
	Held       Outcome = "held"
	Missed     Outcome = "missed"
	Unmeasured Outcome = "not measured"
)

// prove adds the verdicts of load profiles to the rows that only they prove, and columns for targets on which nothing
// else ran.
func (m *Matrix) prove(proofs []Proof) {
	for _, p := range proofs {
		if !slices.Contains(m.Targets, p.Target) {
			m.Targets = append(m.Targets, p.Target)
			for i := range m.Rows {
				m.Rows[i].Cells = append(m.Rows[i].Cells, Cell{Target: p.Target, Outcome: NotRun})
			}
		}
		column := slices.Index(m.Targets, p.Target)
		for i := range m.Rows {
			if m.Rows[i].ID == p.ID && m.Rows[i].ByLoad {
				m.Rows[i].Cells[column].add(p)
			}
		}
	}
}

// add adds a verdict to the cell, which keeps the worst: missed, then not measured.
func (c *Cell) add(p Proof) {
	c.Total++
	if p.Outcome == Held {
		c.Passed++
	}
	worse := map[Outcome]int{NotRun: 0, Held: 1, Unmeasured: 2, Missed: 3}
	if worse[p.Outcome] > worse[c.Outcome] {
		c.Outcome = p.Outcome
	}
	if p.Outcome != Held && p.Says != "" {
		c.Reasons = append(c.Reasons, p.Says)
	}
}
