package report

import "html/template"

// Failure is a scenario that failed on a target.
type Failure struct {
	Target string
	Scenario
}

// Failures returns the failed scenarios of all runs.
func (m Matrix) Failures() []Failure {
	var all []Failure
	for _, run := range m.Runs {
		for _, s := range run.Scenarios {
			if s.Outcome == Failed {
				all = append(all, Failure{run.Target, s})
			}
		}
	}
	return all
}

// failures returns the failed scenarios as the first section of the page; false if there are none.
func (m Matrix) failures() (Section, bool, error) {
	all := m.Failures()
	body, err := Fill(assets, "assets/failures.tmpl", all)
	return Section{ID: "failures", Title: "Failures", Body: template.HTML(body)}, len(all) > 0, err
}
