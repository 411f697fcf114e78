package overview

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/tabletop-db/tabletop/features/report"
	"github.com/tabletop-db/tabletop/features/runner"
	loadreport "github.com/tabletop-db/tabletop/loadtest/report"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// Sources are the folders with the results of runs. A missing folder has no results.
type Sources struct {
	Features    string // of tabletop features
	Loadtest    string // of tabletop loadtest run
	Simulations string // its *.json files are from tabletop simulate --report
}

// Overview is the data of the page.
type Overview struct {
	Entries     []report.Entry // of the catalogue
	Known       []runner.Difference
	Runs        []report.Run
	Loads       []*result.Report
	Simulations []Simulation
	Facts       Facts // of the emulator
}

// Read reads the results of runs. The caller provides the catalogue's entries and the known differences.
func Read(s Sources, entries []report.Entry, known []runner.Difference) (*Overview, error) {
	o := &Overview{Entries: entries, Known: known, Facts: facts()}
	var err error
	if o.Runs, err = report.Load(s.Features); err != nil {
		return nil, err
	}
	if o.Loads, err = readLoads(filepath.Join(s.Loadtest, loadreport.JSONName)); err != nil {
		return nil, err
	}
	if o.Simulations, err = readSimulations(s.Simulations); err != nil {
		return nil, err
	}
	if len(o.Runs)+len(o.Loads)+len(o.Simulations) == 0 {
		return nil, fmt.Errorf(
			"no results in %s, %s and %s: run tabletop features or tabletop loadtest run first, or set other folders",
			s.Features, s.Loadtest, s.Simulations)
	}
	return o, nil
}

func readLoads(name string) ([]*result.Report, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := result.ReadJSON(f)
	if err != nil {
		return nil, fmt.Errorf("%s was not written by loadtest run of this version; remove it (%w)", name, err)
	}
	slices.SortStableFunc(all, func(a, b *result.Report) int {
		return cmp.Or(cmp.Compare(a.Profile.ID, b.Profile.ID), cmp.Compare(a.Target, b.Target))
	})
	return all, nil
}
