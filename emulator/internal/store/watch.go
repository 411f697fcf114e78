package store

import (
	"context"
	"slices"
	"sync"
	"time"
)

// A watch detects commits of updates of some keys, and changes of definitions.
type watch struct {
	hashes  []uint64 // of the keys
	gates   []*Gate  // the store's and those of the definitions
	changes []uint64 // count of each gate when the watch began
	changed bool     // guarded by watches.mu
	reserve *reservation
}

// A reservation keeps other updates from keys for a short time. An update that waits for its end holds no latch.
type reservation struct {
	until time.Time
	ended chan struct{}
}

// wait waits until the reservation ends or expires, or ctx is done.
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

// watches holds the active watches by key hash. Each stripe counts its own, so that an update that meets none, as
// nearly all do, need not look here.
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

// end ends a watch and its reservation.
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

// holds reports whether nothing that is watched has changed. The latches of its keys must be held.
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

// notice tells the watches of an update's keys, whose latches are held, that it was committed. mine is its own watch.
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

// reservation returns a reservation other than mine on a key of latches that are held, or nil.
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
