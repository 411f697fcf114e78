package explore

import "time"

// Settings bound and steer a search.
type Settings struct {
	Runs     int           // the most runs in all, besides those that examine a failure; 0: no limit
	For      time.Duration // the time after which no further plan is begun; 0: no limit
	Seed     uint64        // of the random plans
	Parallel int           // runs at a time, at least 1
	Kinds    []Kind        // the kinds to try; nil: all but ExpiredToken
	Findings int           // the findings after which the search ends; 0: 20
	// Progress, if it is not nil, is called after each group of runs, from one goroutine.
	Progress func(Progress)
	// Found, if it is not nil, is called with each finding, from the same goroutine. Its Also may grow later.
	Found func(*Finding)
}

// Check returns an error for kinds that do not exist.
func (s *Settings) Check() error {
	for _, k := range s.Kinds {
		if err := k.check(); err != nil {
			return err
		}
	}
	return nil
}

// Progress is how far a search has come.
type Progress struct {
	Runs     int
	Tried    int // combinations of target and kind that were tried
	Known    int // combinations that are known
	Findings int
}

// report passes on how far the search has come.
func (s *search) report() {
	if s.settings.Progress == nil {
		return
	}
	known := 0
	for _, t := range s.targets {
		known += len(t.kinds)
	}
	s.settings.Progress(Progress{Runs: s.result.Runs, Tried: len(s.result.cells), Known: known,
		Findings: len(s.result.Findings)})
}
