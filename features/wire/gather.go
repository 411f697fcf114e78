package wire

import (
	"context"
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
	least int
	last  *time.Timer   // since the last call; nil: fewer than least have come
	open  chan struct{} // closed when no more come
}

// Gather has the next calls of an operation wait, once, until there are least of them and no more come: so as many are under way
// together as their caller makes side by side, however fast each is answered. They wait for ten seconds at most.
func (r *Recorder) Gather(operation string, least int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.gathered == nil {
		r.gathered = map[string]*gathering{}
	}
	r.gathered[operation] = &gathering{least: least, open: make(chan struct{})}
}

// Most is how many calls of an operation were under way at once at most.
func (r *Recorder) Most(operation string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.most[operation]
}

// begin counts a call as under way until end is called, after it waited for the others.
func (r *Recorder) begin(ctx context.Context, operation string) (end func()) {
	if open := r.enter(operation); open != nil {
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
		r.underWay[operation]--
	}
}

func (r *Recorder) enter(operation string) (open chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.underWay == nil {
		r.underWay, r.most = map[string]int{}, map[string]int{}
	}
	r.underWay[operation]++
	r.most[operation] = max(r.most[operation], r.underWay[operation])
	g := r.gathered[operation]
	switch {
	case g == nil:
		return nil
	case g.last != nil && g.last.Stop():
		g.last.Reset(quiet)
	case g.last == nil && r.underWay[operation] >= g.least:
		g.last = time.AfterFunc(quiet, func() { close(g.open) })
	}
	return g.open
}
