package features

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/tabletop-db/tabletop/features/report"
)

// ErrNothingFailed means that there is nothing to run again. The text of the error that wraps it says why.
var ErrNothingFailed = errors.New("nothing to run again")

// Failed returns the places of the scenarios that failed in the last run on a target, of all or of selected scenarios,
// from the reports in a folder. Errors: ErrNothingFailed; a report cannot be read; a scenario no longer exists.
func Failed(dir, target string) ([]string, error) {
	last, err := lastRun(dir, target)
	if err != nil {
		return nil, err
	}
	failed := last.With(report.Failed)
	switch {
	case last.Started.IsZero():
		return nil, fmt.Errorf("%w: %s has no report of a run on %s: omit --failed to run all",
			ErrNothingFailed, dir, target)
	case len(failed) == 0:
		return nil, fmt.Errorf("%w: no scenario failed in the last run on %s, of %s at %s: omit --failed to run all",
			ErrNothingFailed, target, last.Selection.Title(), last.Started.Format(time.DateTime+" UTC"))
	}
	return Places(failed)
}

// lastRun returns the last run on a target; the zero value if there is none.
func lastRun(dir, target string) (last report.Run, err error) {
	for _, folder := range []string{dir, filepath.Join(dir, report.SelectedFolder)} {
		runs, err := report.Load(folder)
		if err != nil {
			return last, err
		}
		for _, run := range runs {
			if run.Target == target && run.Started.After(last.Started) {
				last = run
			}
		}
	}
	return last, nil
}
