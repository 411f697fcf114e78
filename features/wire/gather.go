package wire

import (
	"context"
	"slices"
	"time"
)

const (
	// quiet is how long no further call must come for those that are there to be all.
	quiet = 50 * time.Millisecond
	// gatherFor is how long calls wait for others at most.
	gatherFor = 10 * time.Second
)

// gathering holds the calls of one operation until all that are made side by side are there.
type gathering struct {
	operation, table string // no table: of any
	least, came      int
	last             *time.Timer   // since the last call; nil: fewer than least have come
	open             chan struct{} // closed when no more come
}

// Gather has the next calls of an operation on a table wait, once, until there are least of them and no more come: so
// as many are under way together as their caller makes side by side, however fast each is answered. They wait for ten
// seconds at most. Without a table, those of every table count: what has none, a transaction or a batch, is gathered
// so.
func (r *Recorder) Gather(operation, table string, least int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	g := &gathering{operation: operation, table: table, least: least, open: make(chan struct{})}
	r.gathered = slices.Insert(r.gathered, 0, g)
}

// Most is how many calls of an operation were under way at once at most.
func (r *Recorder) Most(operation string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.most[operation]
}

// begin counts a call as under way until end is called, after it waited for the others.
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

// enter counts a call that has come, and has the gathering open when none follows it.
func (g *gathering) enter() {
	g.came++
	switch {
	case g.last != nil && g.last.Stop():
		g.last.Reset(quiet)
	case g.last == nil && g.came >= g.least:
		g.last = time.AfterFunc(quiet, func() { close(g.open) })
	}
}
