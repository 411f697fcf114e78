package wire

import (
	"context"
	"slices"
	"time"
)

const (
	// quietPeriod is how long no further call may arrive before the arrived ones count as all.
	quietPeriod = 50 * time.Millisecond
	// maxHold is the maximum time that calls wait for others.
	maxHold = 10 * time.Second
)

// callBarrier holds back the calls of one operation until all parallel ones have arrived.
type callBarrier struct {
	operation, table  string // table is empty for any
	minCalls, arrived int
	quietTimer        *time.Timer   // runs since the last call; nil: fewer than minCalls have arrived
	open              chan struct{} // closed when no more arrive
}

// HoldCalls makes the next calls of an operation on a table wait, once, until at least minCalls of them have arrived
// and no more arrive. All calls that their caller makes in parallel are then under way at the same time, however fast
// each response is. They wait at most ten seconds. An empty table counts the calls on every table, and is required for
// calls without a single table: transactions and batches.
func (r *Recorder) HoldCalls(operation, table string, minCalls int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	g := &callBarrier{operation: operation, table: table, minCalls: minCalls, open: make(chan struct{})}
	r.barriers = slices.Insert(r.barriers, 0, g)
}

// PendingHolds returns how many calls of HoldCalls have not held as many calls as they were to.
func (r *Recorder) PendingHolds() (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, g := range r.barriers {
		if g.quietTimer == nil {
			n++
		}
	}
	return n
}

// MaxConcurrent returns the maximum number of calls of an operation that were under way at once.
func (r *Recorder) MaxConcurrent(operation string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.maxInFlight[operation]
}

// startCall counts a call as under way until end is called. It returns when the call's barrier opens, after
// maxHold at the latest.
func (r *Recorder) startCall(ctx context.Context, c Call) (end func()) {
	if g := r.arrive(c); g != nil {
		ctx, cancel := context.WithTimeout(ctx, maxHold)
		defer cancel()
		select {
		case <-g.open:
		case <-ctx.Done():
			r.giveUp(g)
		}
	}
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.inFlight[c.Operation]--
	}
}

// giveUp notes that a call no longer waits for others, which come too late to be held with it.
func (r *Recorder) giveUp(g *callBarrier) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if g.quietTimer == nil {
		g.arrived--
	}
}

// arrive counts a call as under way and returns the barrier that holds it, or nil.
func (r *Recorder) arrive(c Call) *callBarrier {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.inFlight == nil {
		r.inFlight, r.maxInFlight = map[string]int{}, map[string]int{}
	}
	r.inFlight[c.Operation]++
	r.maxInFlight[c.Operation] = max(r.maxInFlight[c.Operation], r.inFlight[c.Operation])
	for _, g := range r.barriers {
		if g.operation == c.Operation && (g.table == "" || g.table == c.Table) {
			g.arrive()
			return g
		}
	}
	return nil
}

// arrive counts an arrived call, and opens the barrier if no other follows it.
func (g *callBarrier) arrive() {
	g.arrived++
	switch {
	case g.quietTimer != nil && g.quietTimer.Stop():
		g.quietTimer.Reset(quietPeriod)
	case g.quietTimer == nil && g.arrived >= g.minCalls:
		g.quietTimer = time.AfterFunc(quietPeriod, func() { close(g.open) })
	}
}
