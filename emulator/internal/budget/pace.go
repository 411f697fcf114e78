package budget

import (
	"context"
	"time"
)

// maxRest is the longest rest after a step of Pace: a longer step waited for the disk, not for a processor.
const maxRest = 100 * time.Millisecond

// Pace runs a step of work that copies, deletes or indexes much data; a step should take about 2 ms. One step of the
// process runs at a time, in a turn. If step reports that there is more to do, Pace then rests as long as it took, up
// to 100 ms, before the next step of any request may run: other requests find a processor free, however much such work
// there is. The caller must hold nothing that other steps wait for. Errors: those of step, and the cause of the
// request's end.
func (b *Budget) Pace(step func() (more bool, err error)) (more bool, err error) {
	if b == nil || b.limits.Pool == nil {
		return step()
	}
	b.EndTurn() // the one whose step runs may wait for it
	ctx, pacing := b.Context(), b.limits.Pool.pacing
	select {
	case pacing <- struct{}{}:
		defer func() { <-pacing }()
	case <-ctx.Done():
	}
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	b.TakeTurn()
	begun := time.Now()
	more, err = step()
	b.EndTurn()
	if more && err == nil {
		rest(ctx, min(time.Since(begun), maxRest))
	}
	return more, err
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
