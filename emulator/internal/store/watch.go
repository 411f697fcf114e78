package store

import (
	"context"
	"slices"
	"sync"
	"time"
)

// A watch notices whether anybody commits an update of some keys, or changes a definition.
type watch struct {
	hashes  []uint64 // of the keys
	gates   []*Gate  // the store's and those of the definitions
	changes []uint64 // of each gate, when the watch began
	changed bool     // guarded by watches.mu
	reserve *reservation
}

// A reservation keeps others from keys for a short time. Nobody holds a latch while they wait for its end.
type reservation struct {
	until time.Time
	ended chan struct{}
}

// wait waits until the reservation ends, its time is over, or ctx is done.
func (r *reservation) wait(ctx context.Context) error {
	over := time.NewTimer(time.Until(r.until))
	defer over.Stop()
	select {
	case <-r.ended:
	case <-over.C:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}

// watches are those under way, by the hashes of their keys. Each stripe counts how many it has, so that an update which
// meets none, as nearly all do, looks at nothing else.
type watches struct {
	mu  sync.Mutex
	all map[uint64][]*watch
}

// begin starts a watch of latches that are held.
func (ws *watches) begin(s *Store, l *Latches, reserve bool) *watch {
	w := &watch{hashes: slices.Clone(l.hashes()), gates: []*Gate{s.gate}}
	_ = l.definitions(func(g *Gate) error {
		w.gates = append(w.gates, g)
		return nil
	})
	for _, g := range w.gates {
		w.changes = append(w.changes, g.changes.Load())
	}
	if reserve {
		w.reserve = &reservation{until: time.Now().Add(reservedFor), ended: make(chan struct{})}
	}
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if ws.all == nil {
		ws.all = map[uint64][]*watch{}
	}
	for _, hash := range w.hashes {
		ws.all[hash] = append(ws.all[hash], w)
		s.latches[stripeOf(hash)].watched.Add(1)
	}
	return w
}

// end ends a watch, and with it its reservation.
func (ws *watches) end(t *latchTable, w *watch) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	for _, hash := range w.hashes {
		left := slices.DeleteFunc(ws.all[hash], func(other *watch) bool { return other == w })
		if ws.all[hash] = left; len(left) == 0 {
			delete(ws.all, hash)
		}
		t[stripeOf(hash)].watched.Add(-1)
	}
	if w.reserve != nil {
		close(w.reserve.ended)
	}
}

// holds reports whether nothing that is watched was changed. The latches of its keys are held.
func (ws *watches) holds(w *watch) bool {
	for i, g := range w.gates {
		if g.changes.Load() != w.changes[i] {
			return false
		}
	}
	ws.mu.Lock()
	defer ws.mu.Unlock()
	return !w.changed
}

// notice tells those who watch the keys of an update, whose latches are held, that it was committed. mine is its own
// watch.
func (ws *watches) notice(t *latchTable, l *Latches, mine *watch) {
	for _, hash := range l.hashes() {
		if t[stripeOf(hash)].watched.Load() > 0 {
			ws.mark(hash, mine)
		}
	}
}

func (ws *watches) mark(hash uint64, mine *watch) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	for _, w := range ws.all[hash] {
		if w != mine {
			w.changed = true
		}
	}
}

// reservation returns one that keeps others from a key of latches that are held; nil: there is none, or it is mine.
func (ws *watches) reservation(t *latchTable, l *Latches, mine *watch) *reservation {
	for _, hash := range l.hashes() {
		if t[stripeOf(hash)].watched.Load() == 0 {
			continue
		}
		if r := ws.reserved(hash, mine); r != nil {
			return r
		}
	}
	return nil
}

func (ws *watches) reserved(hash uint64, mine *watch) *reservation {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	for _, w := range ws.all[hash] {
		if w != mine && w.reserve != nil && time.Now().Before(w.reserve.until) {
			return w.reserve
		}
	}
	return nil
}
