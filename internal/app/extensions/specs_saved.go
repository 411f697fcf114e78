package extensions

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/tabletop-db/tabletop/features/report"
)

const (
	// specsRunsFolder is the folder of the runs of scenarios that the console has started, in the folder of all reports.
	specsRunsFolder = "console-specs"
	// savedScenariosName is a run's file of its scenarios with steps and traces.
	savedScenariosName = "scenarios.json.gz"
)

// savedSpecs is the folder of the runs of scenarios. The run in it is without steps and traces, as the list shows it.
type savedSpecs struct{ savedRuns }

func (x *Extensions) savedSpecs() savedSpecs {
	return savedSpecs{savedRuns(filepath.Join(x.cfg.Reports, specsRunsFolder))}
}

// save saves a run that has ended, and removes the oldest ones.
func (s savedSpecs) save(run *specsRun, state jobState) error {
	v := run.view(0)
	v.State = state
	run.mu.Lock()
	done := slices.Clone(run.done)
	run.mu.Unlock()
	return s.write(run.id, v, func(folder string) error {
		return writeScenarios(filepath.Join(folder, savedScenariosName), done)
	})
}

func writeScenarios(name string, all []report.Scenario) (err error) {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	zip := gzip.NewWriter(f)
	return errors.Join(json.NewEncoder(zip).Encode(all), zip.Close())
}

// list returns the saved runs without their scenarios, newest first. It leaves out those that cannot be read.
func (s savedSpecs) list() ([]specsRunView, error) {
	all, err := listSaved[specsRunView](s.savedRuns)
	for i := range all {
		all[i].Scenarios = []ranScenario{}
	}
	return all, err
}

// read returns a saved run.
func (s savedSpecs) read(id string) (v specsRunView, err error) {
	err = s.readInto(id, &v)
	return v, err
}

// scenarios returns the scenarios of a saved run with their steps and traces.
func (s savedSpecs) scenarios(id string) (all []report.Scenario, err error) {
	if _, err := s.read(id); err != nil {
		return nil, err
	}
	f, err := os.Open(filepath.Join(s.folder(id), savedScenariosName))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	zip, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return all, json.NewDecoder(zip).Decode(&all)
}
