package extensions

import (
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/features"
	"github.com/tabletop-db/tabletop/features/report"
)

// featuresFolder is the folder of the reports of tabletop features, in the folder of all reports.
const featuresFolder = "features"

// specsHandler returns the API of the console's pages about scenarios.
func (x *Extensions) specsHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", respond(x.specsMatrix))
	mux.HandleFunc("GET /requirements/{id}", respond(x.requirement))
	mux.HandleFunc("POST /runs", respond(x.startSpecs))
	mux.HandleFunc("GET /current", respond(x.currentSpecs))
	mux.HandleFunc("DELETE /current", respond(x.stopSpecs))
	mux.HandleFunc("GET /runs", respond(func(*http.Request) (any, error) { return x.savedSpecs().list() }))
	mux.HandleFunc("GET /runs/{id}", respond(x.specsRunOf))
	mux.HandleFunc("GET /runs/{id}/scenarios/{number}", respond(x.ranScenario))
	return mux
}

// specsView is the results by requirement and target.
type specsView struct {
	Targets []targetView `json:"targets"`
	Groups  []groupView  `json:"groups"`
	Folder  string       `json:"folder"` // of the reports
}

// targetView is the run of all scenarios on a target.
type targetView struct {
	Name      string        `json:"name"`
	Detail    string        `json:"detail"`
	Version   string        `json:"version"`
	Started   time.Time     `json:"started"`
	Elapsed   time.Duration `json:"elapsed_ns"`
	Scenarios int           `json:"scenarios"`
}

// groupView is the requirements of a system.
type groupView struct {
	Name string    `json:"name"`
	ID   string    `json:"id"` // the part of the ids before the dash
	Rows []rowView `json:"rows"`
}

// rowView is a requirement.
type rowView struct {
	ID     string     `json:"id"`
	Kind   string     `json:"kind"`
	Says   string     `json:"says"`
	ByLoad bool       `json:"byLoad"` // verified by load profiles, not by scenarios
	Cells  []cellView `json:"cells"`  // one for each target
}

// cellView is the result of a requirement on a target.
type cellView struct {
	Outcome report.Outcome `json:"outcome"`
	Passed  int            `json:"passed"` // scenarios
	Total   int            `json:"total"`
}

// matrix returns the results of the last run of all scenarios on each target.
func (x *Extensions) matrix() (report.Matrix, error) {
	entries, err := features.Entries()
	if err != nil {
		return report.Matrix{}, err
	}
	runs, err := report.Load(filepath.Join(x.cfg.Reports, featuresFolder))
	return report.NewMatrix(entries, runs), err
}

// specsMatrix returns the results by requirement and target.
func (x *Extensions) specsMatrix(*http.Request) (any, error) {
	m, err := x.matrix()
	if err != nil {
		return nil, err
	}
	v := specsView{Targets: []targetView{}, Folder: filepath.Join(x.cfg.Reports, featuresFolder)}
	for _, r := range m.Runs {
		v.Targets = append(v.Targets, targetView{r.Target, r.Detail, r.Version, r.Started, r.Elapsed, len(r.Scenarios)})
	}
	for _, g := range m.Groups() {
		group := groupView{Name: g.Name, ID: g.ID}
		for _, r := range g.Rows {
			group.Rows = append(group.Rows, rowView{r.ID, r.Kind, r.Says, r.ByLoad, cellsOf(r.Cells)})
		}
		v.Groups = append(v.Groups, group)
	}
	return v, nil
}

func cellsOf(cells []report.Cell) []cellView {
	all := []cellView{}
	for _, c := range cells {
		all = append(all, cellView{c.Outcome, c.Passed, c.Total})
	}
	return all
}

// requirementView is a requirement with its clauses and scenarios.
type requirementView struct {
	rowView
	System    string          `json:"system"`
	Targets   []string        `json:"targets"`
	Clauses   []clauseView    `json:"clauses"`
	Scenarios []scenarioOnAll `json:"scenarios"`
}

// clauseView is a part of a requirement.
type clauseView struct {
	ID    string     `json:"id"`
	Says  string     `json:"says"`
	Cells []cellView `json:"cells"`
}

// scenarioOnAll is a scenario with its result on each target; null: it did not run there.
type scenarioOnAll struct {
	report.Scenario
	Results []*scenarioResult `json:"results"`
}

// scenarioResult is the result of a scenario on a target.
type scenarioResult struct {
	Outcome report.Outcome `json:"outcome"`
	Reason  string         `json:"reason,omitempty"`
	Elapsed time.Duration  `json:"elapsed_ns"`
}

// requirement returns a requirement with its scenarios.
func (x *Extensions) requirement(r *http.Request) (any, error) {
	m, err := x.matrix()
	if err != nil {
		return nil, err
	}
	id := r.PathValue("id")
	i := slices.IndexFunc(m.Rows, func(row report.Row) bool { return row.ID == id })
	if i < 0 {
		return nil, missing("there is no requirement %q", id)
	}
	row := m.Rows[i]
	v := requirementView{rowView: rowView{row.ID, row.Kind, row.Says, row.ByLoad, cellsOf(row.Cells)},
		System: row.Group, Targets: append([]string{}, m.Targets...), Clauses: []clauseView{}}
	for _, p := range row.Parts {
		v.Clauses = append(v.Clauses, clauseView{p.ID, p.Says, cellsOf(p.Cells)})
	}
	v.Scenarios, err = scenariosOn(id, row.Specs, len(m.Targets))
	return v, err
}

// scenariosOn returns the scenarios of a requirement: those with results, and those that have not run on any target.
func scenariosOn(id string, ran []report.ScenarioRuns, targets int) ([]scenarioOnAll, error) {
	all := []scenarioOnAll{}
	has := map[[2]string]bool{}
	for _, s := range ran {
		all, has[[2]string{s.Path(), s.Name}] = append(all, onAll(s)), true
	}
	written, err := features.ScenariosOf(id)
	for _, s := range written {
		if !has[[2]string{s.Path(), s.Name}] {
			all = append(all, scenarioOnAll{Scenario: s, Results: make([]*scenarioResult, targets)})
		}
	}
	return all, err
}

// onAll returns a scenario with its results, and the steps of its first run that failed, or else of the first.
func onAll(s report.ScenarioRuns) scenarioOnAll {
	one := scenarioOnAll{Scenario: s.Scenario}
	one.Steps, one.Trace = s.Sentences(), nil
	for _, r := range s.Runs {
		if r.Name == "" {
			one.Results = append(one.Results, nil)
			continue
		}
		one.Results = append(one.Results, &scenarioResult{r.Outcome, r.Reason, r.Elapsed})
	}
	return one
}

// tagsOf returns the tag expression that selects the scenarios of a requirement, a clause or a system such as TL.
// Errors: there is none with this id, or load profiles verify it.
func tagsOf(id string) (string, error) {
	entries, err := features.Entries()
	if err != nil {
		return "", err
	}
	var tags []string
	for _, e := range entries {
		isClause := slices.ContainsFunc(e.Clauses, func(c report.Clause) bool { return c.ID == id })
		switch {
		case e.ByLoad:
		case e.ID == id, e.System() == id:
			tags = append(tags, "@"+e.ID)
		case isClause:
			tags = append(tags, "@"+id)
		}
	}
	if len(tags) == 0 {
		return "", invalid("no scenario verifies %q: choose a requirement of the list", id)
	}
	return strings.Join(tags, " or "), nil
}
