package engine

import (
	"context"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// GateOf returns the gate of a table. It stays the same when the definition changes.
func (s *Engine) GateOf(id uint32) *store.Gate {
	s.gates.mu.Lock()
	defer s.gates.mu.Unlock()
	gate := s.gates.all[id]
	if gate == nil {
		if s.gates.all == nil {
			s.gates.all = map[uint32]*store.Gate{}
		}
		gate = s.Store.NewGate()
		s.gates.all[id] = gate
	}
	return gate
}

// forgetGate forgets the gate of a deleted table. A request that still holds the gate finds the table stale.
func (s *Engine) forgetGate(id uint32) {
	s.gates.mu.Lock()
	defer s.gates.mu.Unlock()
	delete(s.gates.all, id)
}

// LatchesOf returns the latches for changes of items: their keys, within the gates of their tables.
func LatchesOf(keys [][]byte, tables []*Table) store.Latches {
	var buf [4]*store.Gate
	gates := buf[:0]
	for _, t := range tables {
		if !slices.Contains(gates, t.Gate) {
			gates = append(gates, t.Gate)
		}
	}
	return store.Latch(keys...).Within(gates...)
}

// BeginWait ends the request's turn, so that other long requests can run, and returns the context for waiting for
// latches.
func (r *Request) BeginWait() context.Context {
	if r == nil || r.Context == nil {
		return context.Background()
	}
	r.Work.EndTurn()
	return r.Context
}
