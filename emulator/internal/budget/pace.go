package budget

import (
	"context"
	"time"
)

// maxRest is the longest rest after a paced step: a longer step waited for the disk, not for a processor.
const maxRest = 100 * time.Millisecond

// Pace runs a paced step: a part of work that copies, deletes or indexes much data. A step should take about 2 ms. One
// step of the process runs at a time, in a turn. If step reports that there is more to do, Pace then rests as long as
// it took, up to 100 ms, before the next step of any request may run: other requests find a processor free, however
// much such work there is. The caller must hold nothing that other steps wait for, and step must not begin another
// one. Errors: those of step, and the cause of the request's end.
func (b *Budget) Pace(step func() (more bool, err error)) (more bool, err error) {
	if err := b.BeginPaced(); err != nil {
		return false, err
	}
	return b.runPaced(step)
}

// TryPace is Pace for work that others can continue. It does not wait for other requests: if it would have to, it does
// not call step and reports that there is no more to do. It also reports that once the time of the budget is over.
func (b *Budget) TryPace(step func() (more bool, err error)) (more bool, err error) {
	if ctx := b.Context(); ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	if !b.tryBeginPaced() {
		return false, nil
	}
	more, err = b.runPaced(step)
	return more && !b.isOver(time.Now()), err
}

// runPaced runs a step that has begun, and ends it.
func (b *Budget) runPaced(step func() (more bool, err error)) (more bool, err error) {
	defer b.EndPaced(false) // if step panics
	more, err = step()
	b.EndPaced(more && err == nil)
	return more, err
}

// BeginPaced begins a step like those of Pace, for work that is not divided into functions. EndPaced or Close ends it.
// Errors: the cause of the request's end.
func (b *Budget) BeginPaced() error {
	if b == nil {
		return nil
	}
	ctx := b.Context()
	if b.limits.Pool != nil {
		b.EndTurn() // the one whose step runs may wait for it
		select {
		case b.limits.Pool.pacing <- struct{}{}:
			b.isPaced = true
		case <-ctx.Done():
		}
	}
	if ctx.Err() != nil {
		b.EndPaced(false)
		return context.Cause(ctx)
	}
	b.TakeTurn()
	b.pacedSince = time.Now()
	return nil
}

// tryBeginPaced is BeginPaced if it need not wait. It reports whether the step began.
func (b *Budget) tryBeginPaced() bool {
	if b == nil || b.limits.Pool == nil {
		return true
	}
	select {
	case b.limits.Pool.pacing <- struct{}{}:
		b.isPaced = true
	default:
		return false
	}
	if b.takeTurn(0); !b.hasTurn {
		b.EndPaced(false)
		return false
	}
	b.pacedSince = time.Now()
	return true
}

// EndPaced ends the step, if there is one. If there is more to do, it rests before the next step of any request may
// run.
func (b *Budget) EndPaced(more bool) {
	if b == nil || !b.isPaced {
		return
	}
	b.EndTurn()
	if more {
		rest(b.Context(), min(time.Since(b.pacedSince), maxRest))
	}
	b.isPaced = false
	<-b.limits.Pool.pacing
}

// rest waits for a time, by the machine's clock, or until ctx is done.
func rest(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
