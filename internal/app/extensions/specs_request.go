package extensions

import (
	"slices"

	"github.com/tabletop-db/tabletop/features"
	"github.com/tabletop-db/tabletop/features/report"
)

// specsRequest is what to run.
type specsRequest struct {
	ID string `json:"id"` // of a requirement, a clause, or a system such as TL; empty: all, without traces
	// Scenario is one scenario of them; nil: all of them.
	Scenario *scenarioName `json:"scenario,omitempty"`
	// FailedOf is the id of a run of which only the failed scenarios run; empty: all of them.
	FailedOf string `json:"failedOf,omitempty"`
}

// scenarioName identifies a scenario in all versions of the features.
type scenarioName struct {
	System string `json:"system"`
	File   string `json:"file"`
	Name   string `json:"name"`
}

// selection returns the arguments of tabletop features that select the scenarios of a request.
func (x *Extensions) selection(in specsRequest) ([]string, error) {
	var args []string
	if in.ID != "" {
		tags, err := tagsOf(in.ID)
		if err != nil {
			return nil, err
		}
		args = []string{"--trace", "--tags", tags}
	}
	var wanted []report.Scenario
	switch s := in.Scenario; {
	case s != nil && in.FailedOf != "":
		return nil, invalid("choose a scenario, or the failed scenarios of a run, not both")
	case s != nil:
		wanted = []report.Scenario{{System: s.System, File: s.File, Name: s.Name}}
	case in.FailedOf != "":
		var err error
		if wanted, err = x.failedOf(in.FailedOf); err != nil {
			return nil, err
		}
	default:
		return args, nil
	}
	places, err := features.Places(wanted)
	if err != nil {
		return nil, invalid("%w", err)
	}
	return append([]string{"--trace"}, places...), nil
}

// failedOf returns the failed scenarios of a run: the latest, or a saved one. Errors: none failed, or no such run.
func (x *Extensions) failedOf(id string) ([]report.Scenario, error) {
	all, err := x.scenariosOf(id)
	if err != nil {
		return nil, err
	}
	failed := report.Run{Scenarios: all}.With(report.Failed)
	if len(failed) == 0 {
		return nil, invalid("no scenario of this run failed: run all of them again")
	}
	return failed, nil
}

// scenariosOf returns the scenarios of a run, with steps and traces: of the latest, or of a saved one.
func (x *Extensions) scenariosOf(id string) ([]report.Scenario, error) {
	run := x.specs.Load()
	if run == nil || run.id != id {
		return x.savedSpecs().scenarios(id)
	}
	run.mu.Lock()
	defer run.mu.Unlock()
	return slices.Clone(run.done), nil
}
