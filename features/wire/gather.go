package wire

import (
	"context"
	"slices"
	"time"
)

const (
	// quiet is how long no further call may arrive before the arrived ones count as all.
	quiet = 50 * time.Millisecond
	// gatherFor is the maximum time that calls wait for others.
	gatherFor = 10 * time.Second
)

// gathering holds back the calls of one operation until all parallel ones have arrived.
type gathering struct {
	operation, table string // table is empty for any
	least, arrived   int
	last             *time.Timer   // runs since the last call; nil: fewer than least have arrived
	open             chan struct{} // closed when no more arrive
}

// Gather makes the next calls of an operation on a table wait, once, until at least least of them have arrived and no
// more arrive. All calls that their caller makes in parallel are then under way at the same time, however fast each
// response is. They wait at most ten seconds. An empty table counts the calls on every table, and is required for calls
// without a single table: transactions and batches.
func (r *Recorder) Gather(operation, table string, least int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	g := &gathering{operation: operation, table: table, least: least, open: make(chan struct{})}
	r.gathered = slices.Insert(r.gathered, 0, g)
}

// Most returns the maximum number of calls of an operation that were under way at once.
func (r *Recorder) Most(operation string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.most[operation]
}

// begin counts a call as under way until end is called. It returns when the call's gathering is complete, after
// gatherFor at the latest.
func (r *Recorder) begin(ctx context.Context, c Call) (end func()) {
	if open := r.enter(c); open != nil {
		ctx, cancel := context.WithTimeout(ctx, gatherFor)
		defer cancel()
		select {
		case <-open:
		case <-ctx.Done():
		}
	}
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.underWay[c.Operation]--
	}
}

func (r *Recorder) enter(c Call) (open chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.underWay == nil {
		r.underWay, r.most = map[string]int{}, map[string]int{}
	}
	r.underWay[c.Operation]++
	r.most[c.Operation] = max(r.most[c.Operation], r.underWay[c.Operation])
	for _, g := range r.gathered {
		if g.operation == c.Operation && (g.table == "" || g.table == c.Table) {
			g.enter()
			return g.open
		}
	}
	return nil
}

// enter counts an arrived call, and opens the gathering if no other follows it.
func (g *gathering) enter() {
	g.arrived++
	switch {
	case g.last != nil && g.last.Stop():
		g.last.Reset(quiet)
	case g.last == nil && g.arrived >= g.least:
		g.last = time.AfterFunc(quiet, func() { close(g.open) })
	}
}
