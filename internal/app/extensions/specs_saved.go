package extensions

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/tabletop-db/tabletop/features/report"
)

const (
	// specsRunsFolder is the folder of the runs of scenarios that the console has started, in the folder of all reports.
	specsRunsFolder = "console-specs"
	// maxSavedSpecs is how many of these runs are kept, the newest.
	maxSavedSpecs = 20
	// savedRunID is the layout of the ids of runs: the time of their start.
	savedRunID = "20060102T150405.000Z"

	savedRunName       = "run.json"          // the run without steps and traces, as the list shows it
	savedScenariosName = "scenarios.json.gz" // its scenarios with steps and traces
)

// savedSpecs is the folder of the runs, each in a folder that has the name of its id.
type savedSpecs string

func (x *Extensions) savedSpecs() savedSpecs {
	return savedSpecs(filepath.Join(x.cfg.Reports, specsRunsFolder))
}

// save saves a run that has ended, and removes the oldest ones.
func (s savedSpecs) save(run *specsRun, state jobState) error {
	v := run.view(0)
	v.State = state
	folder := filepath.Join(string(s), run.id)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	run.mu.Lock()
	done := slices.Clone(run.done)
	run.mu.Unlock()
	if err := writeScenarios(filepath.Join(folder, savedScenariosName), done); err != nil {
		return err
	}
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, savedRunName), text, 0o644); err != nil {
		return err
	}
	return s.prune()
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

// ids returns the ids of the saved runs, newest first.
func (s savedSpecs) ids() ([]string, error) {
	folders, err := os.ReadDir(string(s))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var ids []string
	for _, f := range folders {
		if isRunID(f.Name()) {
			ids = append(ids, f.Name())
		}
	}
	slices.Reverse(ids) // they are times
	return ids, nil
}

// isRunID reports whether a name is the id of a run: then it is no path to another folder.
func isRunID(name string) bool {
	_, err := time.Parse(savedRunID, name)
	return err == nil
}

// prune removes all runs but the newest.
func (s savedSpecs) prune() error {
	ids, err := s.ids()
	if err != nil {
		return err
	}
	for _, id := range ids[min(len(ids), maxSavedSpecs):] {
		err = errors.Join(err, os.RemoveAll(filepath.Join(string(s), id)))
	}
	return err
}

// list returns the saved runs without their scenarios, newest first. It leaves out those that cannot be read.
func (s savedSpecs) list() ([]specsRunView, error) {
	ids, err := s.ids()
	all := []specsRunView{}
	for _, id := range ids {
		if v, err := s.read(id); err == nil {
			v.Scenarios = []ranScenario{}
			all = append(all, v)
		}
	}
	return all, err
}

// read returns a saved run.
func (s savedSpecs) read(id string) (v specsRunView, err error) {
	if !isRunID(id) {
		return v, missing("there is no run %q", id)
	}
	text, err := os.ReadFile(filepath.Join(string(s), id, savedRunName))
	if errors.Is(err, fs.ErrNotExist) {
		return v, missing("there is no run %q: only the last %d are kept", id, maxSavedSpecs)
	}
	if err != nil {
		return v, err
	}
	return v, json.Unmarshal(text, &v)
}

// scenarios returns the scenarios of a saved run with their steps and traces.
func (s savedSpecs) scenarios(id string) (all []report.Scenario, err error) {
	if _, err := s.read(id); err != nil {
		return nil, err
	}
	f, err := os.Open(filepath.Join(string(s), id, savedScenariosName))
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
