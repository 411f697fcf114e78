package engine

import (
	"context"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
)

// Work on much data, such as a backup or a new index, is done in paced steps: see budget.Pace. A step is a transaction
// that reads about StepBytes and takes about 2 ms. Between steps, Engine.Rest leaves processors to requests.
const (
	// StepItems is the most items of a step that closes the gate of a table.
	StepItems = 200
	// StepBytes is about how many bytes a step reads.
	StepBytes = 256 << 10
)

// EachStep runs step until it reports that there is no more to do. The caller must hold nothing that other such work
// waits for. Errors: those of step, and the cause of ctx's end.
func (s *Engine) EachStep(ctx context.Context, step func() (more bool, err error)) error {
	work := s.NewUnlimitedBudget(ctx)
	defer work.Close()
	for {
		more, err := work.Pace(step)
		if err != nil || !more {
			return err
		}
		s.Store.Settle(ctx)
	}
}

// Rest ends a step that was begun with BeginPaced, and begins the next one after a rest. The caller must hold nothing.
// Errors: the cause of the end of the work's context.
func (s *Engine) Rest(work *budget.Budget) error {
	work.EndPaced(true)
	s.Store.Settle(work.Context())
	return work.BeginPaced()
}
