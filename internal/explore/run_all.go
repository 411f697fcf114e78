package explore

import (
	"context"
	"sync"
)

// runAll runs plans, some at a time, and returns their outcomes in the order of the plans.
func (s *search) runAll(ctx context.Context, plans []Plan) ([]*Outcome, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	outcomes := make([]*Outcome, len(plans))
	slots := make(chan struct{}, s.settings.Parallel)
	var runs sync.WaitGroup
	for i, p := range plans {
		slots <- struct{}{}
		runs.Go(func() {
			defer func() { <-slots }()
			if ctx.Err() != nil {
				return
			}
			o, err := s.program.Run(ctx, p)
			if err != nil {
				cancel(err)
				return
			}
			outcomes[i] = o
		})
	}
	runs.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	s.result.Runs += len(plans)
	return outcomes, nil
}
