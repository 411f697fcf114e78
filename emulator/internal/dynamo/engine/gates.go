package engine

import (
	"context"
	"slices"
	"sync"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// tableGates are the gates of tables, by the tables' ids. Writes of a table's items pass its gate, and changes of its
// definition, of its indexes' entries as a whole and of its streams are alone in it. So a change waits for the writes
// of its own table, and only those wait for it.
type tableGates struct {
	mu  sync.Mutex
	all map[uint32]*store.Gate
}

// GateOf returns the gate of a table, which stays the same over changes of its definition.
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

// forgetGate forgets the gate of a table that is gone. Who has it still finds the table stale.
func (s *Engine) forgetGate(id uint32) {
	s.gates.mu.Lock()
	defer s.gates.mu.Unlock()
	delete(s.gates.all, id)
}

// LatchesOf are what changes of items depend on: some keys, and the definitions of tables.
func LatchesOf(keys [][]byte, tables []*Table) store.Latches {
	var few [4]*store.Gate
	gates := few[:0]
	for _, t := range tables {
		if !slices.Contains(gates, t.Gate) {
			gates = append(gates, t.Gate)
		}
	}
	return store.Latch(keys...).Within(gates...)
}

// Waiting is the context in which a request waits for its latches. Other long requests work meanwhile.
func (a *Request) Waiting() context.Context {
	if a == nil || a.Context == nil {
		return context.Background()
	}
	a.Work.EndTurn()
	return a.Context
}
