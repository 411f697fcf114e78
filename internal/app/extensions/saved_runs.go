package extensions

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

const (
	// maxSavedRuns is how many runs of a kind are kept, the newest.
	maxSavedRuns = 20
	// savedRunID is the layout of the ids of runs: the time of their start.
	savedRunID = "20060102T150405.000Z"
	// savedRunName is the file of a run, as the list shows it.
	savedRunName = "run.json"
)

// savedRuns is the folder of the runs of one kind that the console has started, each in a folder that has the name of
// its id.
type savedRuns string

// startSaved starts a child whose run is saved when it has ended, and sets its job before that. Errors: startError's.
func (x *Extensions) startSaved(what spec, run **job, save func(state jobState) error) error {
	ready := make(chan struct{}) // closed when the job is set
	what.ended = func(state jobState) {
		<-ready
		if err := save(state); err != nil {
			(*run).addMessage("tabletop: the run was not saved: " + err.Error())
		}
	}
	var err error
	*run, err = x.jobs.start(what)
	close(ready)
	if err != nil {
		return startError(err)
	}
	return nil
}

// newRunID returns the id of a run that starts now.
func newRunID() string { return time.Now().UTC().Format(savedRunID) }

func (s savedRuns) folder(id string) string { return filepath.Join(string(s), id) }

// write saves a run, and what more writes to its folder, and removes the oldest runs.
func (s savedRuns) write(id string, run any, more func(folder string) error) error {
	folder := s.folder(id)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if err := more(folder); err != nil {
		return err
	}
	text, err := json.Marshal(run)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, savedRunName), text, 0o644); err != nil {
		return err
	}
	return s.prune()
}

// readInto reads a saved run.
func (s savedRuns) readInto(id string, run any) error {
	if !isRunID(id) {
		return missing("there is no run %q", id)
	}
	text, err := os.ReadFile(filepath.Join(s.folder(id), savedRunName))
	if errors.Is(err, fs.ErrNotExist) {
		return missing("there is no run %q: only the last %d are kept", id, maxSavedRuns)
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(text, run)
}

// listSaved returns the saved runs, newest first. It leaves out those that cannot be read.
func listSaved[V any](s savedRuns) ([]V, error) {
	ids, err := s.ids()
	all := []V{}
	for _, id := range ids {
		var v V
		if s.readInto(id, &v) == nil {
			all = append(all, v)
		}
	}
	return all, err
}

// ids returns the ids of the saved runs, newest first.
func (s savedRuns) ids() ([]string, error) {
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
func (s savedRuns) prune() error {
	ids, err := s.ids()
	if err != nil {
		return err
	}
	for _, id := range ids[min(len(ids), maxSavedRuns):] {
		err = errors.Join(err, os.RemoveAll(s.folder(id)))
	}
	return err
}
