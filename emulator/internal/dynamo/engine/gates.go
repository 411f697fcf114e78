package engine

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// tableSlot is what stays of a table when its definition changes.
type tableSlot struct {
	gate    *store.Gate
	current atomic.Pointer[Located] // as it is published; nil if it does not exist
}

// Located is a table and the account that has it.
type Located struct {
	*Table
	Account *Account
}

// table returns the table as it is published; nil if it does not exist.
func (s *tableSlot) table() *Table {
	if t := s.current.Load(); t != nil {
		return t.Table
	}
	return nil
}

// put makes a table of an account the published one; nil: none.
func (s *tableSlot) put(a *Account, t *Table) {
	if t == nil {
		s.current.Store(nil)
		return
	}
	s.current.Store(&Located{t, a})
}

// slotOf returns the slot of a table.
func (s *Engine) slotOf(id uint32) *tableSlot {
	s.slots.mu.Lock()
	defer s.slots.mu.Unlock()
	slot := s.slots.all[id]
	if slot == nil {
		if s.slots.all == nil {
			s.slots.all = map[uint32]*tableSlot{}
		}
		slot = &tableSlot{gate: s.Store.NewGate()}
		s.slots.all[id] = slot
	}
	return slot
}

// located returns the published table with that id and its account; nil if there is none.
func (s *Engine) located(id uint32) *Located {
	s.slots.mu.Lock()
	defer s.slots.mu.Unlock()
	if slot := s.slots.all[id]; slot != nil {
		return slot.current.Load()
	}
	return nil
}

// Published returns the published table with that id; nil if there is none.
func (s *Engine) Published(id uint32) *Table {
	if t := s.located(id); t != nil {
		return t.Table
	}
	return nil
}

// GateOf returns the gate of a table. It stays the same when the definition changes.
func (s *Engine) GateOf(id uint32) *store.Gate { return s.slotOf(id).gate }

// ForgetGate forgets the gate of a table that does not exist any more, if so. A request that still holds the gate finds
// the table stale.
func (s *Engine) ForgetGate(id uint32) {
	s.slots.mu.Lock()
	defer s.slots.mu.Unlock()
	if slot := s.slots.all[id]; slot != nil && slot.table() == nil {
		delete(s.slots.all, id)
	}
}

// emptySlots makes no table current, before the tables are loaded.
func (s *Engine) emptySlots() {
	s.slots.mu.Lock()
	defer s.slots.mu.Unlock()
	for _, slot := range s.slots.all {
		slot.current.Store(nil)
	}
}

// BeginChanges returns the latches for changes of items, their keys and more ones within the gates of their tables, and
// the tickets for the logs of the tables, which the caller must End whether or not the changes succeed. Both include
// the replicas of the tables that change at once.
func BeginChanges(changes []*Change, more ...[]byte) (store.Latches, tickets) {
	var buf [4]*store.Gate
	keys, gates, held := slices.Grow(more, len(changes)), buf[:0], tickets(nil)
	begin := func(c *Change) {
		keys = append(keys, c.Key)
		if !slices.Contains(gates, c.Table.Gate) {
			gates = append(gates, c.Table.Gate)
			if c.Table.Log != nil {
				held = append(held, c.Table.Log.Begin())
			}
		}
	}
	for _, c := range changes {
		begin(c)
		c.prepareReplicas()
		if c.spread != nil {
			for _, r := range c.spread.now {
				begin(r)
			}
		}
	}
	return store.Latch(keys...).Within(gates...), held
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
