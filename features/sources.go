package features

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/tabletop-db/tabletop/features/report"
	"github.com/tabletop-db/tabletop/features/runner"
)

// Sources returns all feature files by their paths, such as features/kefir/batches.feature.
func Sources() (map[string]runner.Source, error) {
	all := map[string]runner.Source{}
	for _, suite := range suites() {
		sources, err := runner.Read(suite.Files)
		if err != nil {
			return nil, err
		}
		for file, source := range sources {
			all[report.Scenario{System: suite.Name, File: file}.Path()] = source
		}
	}
	return all, nil
}

// Places returns the places of scenarios of an earlier run, with the lines that they have now, as report.Selection
// takes them: features/kefir/batches.feature:12. Errors: a scenario no longer exists.
func Places(scenarios []report.Scenario) ([]string, error) {
	sources, err := Sources()
	if err != nil {
		return nil, err
	}
	var places []string
	for _, s := range scenarios {
		all := sources[s.Path()].Scenarios
		i := slices.IndexFunc(all, func(spec runner.Spec) bool { return spec.Name == s.Name })
		if i < 0 {
			return nil, fmt.Errorf("%s no longer has the scenario %q: run its requirement, or all scenarios",
				s.Path(), s.Name)
		}
		places = append(places, s.Path()+":"+strconv.Itoa(all[i].Line))
	}
	return places, nil
}

// ScenariosOf returns the scenarios of a requirement or a clause, in the order of their files, as not run.
func ScenariosOf(id string) ([]report.Scenario, error) {
	var all []report.Scenario
	for _, suite := range suites() {
		sources, err := runner.Read(suite.Files)
		if err != nil {
			return nil, err
		}
		for _, file := range slices.Sorted(maps.Keys(sources)) {
			for _, spec := range sources[file].Scenarios {
				if ids := runner.IDs(spec.Tags); slices.Contains(ids, id) {
					all = append(all, report.Scenario{System: suite.Name, Feature: sources[file].Title, File: file, Name: spec.Name,
						Line: spec.Line, IDs: ids, Outcome: report.NotRun, Steps: spec.Steps})
				}
			}
		}
	}
	return all, nil
}
