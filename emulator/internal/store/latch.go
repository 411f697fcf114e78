package store

import (
	"context"
	"slices"

	"github.com/cespare/xxhash/v2"
)

// inlineLatches is how many keys a [Latches] holds without an allocation: a write and its few companions.
const inlineLatches = 4

// Latches names what an update depends on: the keys that it reads or writes, and the gates of the definitions that it
// goes by. The zero value, and Latch without keys or gates, means everything: the update runs alone in the whole store,
// which only Restore, Reset and tests need.
type Latches struct {
	n      int
	inline [inlineLatches]uint64 // hashes of the keys, in ascending order
	more   []uint64              // all of them, when they are more than inline holds
	gate   *Gate                 // the first of the gates, nil for none
	gates  []*Gate               // all of them, in the order of their numbers, when they are more than one
	alone  bool                  // in the gates
}

// Latch returns the latches of the keys given. The order of the keys does not matter, and no order can deadlock.
func Latch(keys ...[]byte) Latches {
	var l Latches
	if len(keys) > inlineLatches {
		l.more = make([]uint64, len(keys))
	}
	all := l.inline[:]
	if l.more != nil {
		all = l.more
	}
	for i, key := range keys {
		all[i] = xxhash.Sum64(key)
	}
	slices.Sort(all[:len(keys)])
	l.n = len(slices.Compact(all[:len(keys)]))
	return l
}

// Within returns the latches together with gates that the update passes beside others: the definitions that they stand
// for do not change meanwhile.
func (l Latches) Within(gates ...*Gate) Latches {
	if len(gates) == 1 {
		l.gate = gates[0]
		return l
	}
	l.gates = slices.Clone(gates)
	slices.SortFunc(l.gates, compareGates)
	l.gates = slices.Compact(l.gates)
	if len(l.gates) > 0 {
		l.gate = l.gates[0]
	}
	return l
}

// Alone returns the latches together with gates that nobody else passes meanwhile. It is for changes of definitions,
// which wait for the updates that run within these gates, and for no others.
func (l Latches) Alone(gates ...*Gate) Latches {
	l = l.Within(gates...)
	l.alone = true
	return l
}

// everything reports whether the update is to run alone in the whole store.
func (l *Latches) everything() bool { return l.n == 0 && l.gate == nil }

// hashes returns the hashes of the keys in ascending order, without repetition.
func (l *Latches) hashes() []uint64 {
	if l.more != nil {
		return l.more[:l.n]
	}
	return l.inline[:l.n]
}

// definitions calls visit for each gate, in the order of their numbers, until it returns an error.
func (l *Latches) definitions(visit func(*Gate) error) error {
	if l.gates == nil {
		if l.gate == nil {
			return nil
		}
		return visit(l.gate)
	}
	for _, g := range l.gates {
		if err := visit(g); err != nil {
			return err
		}
	}
	return nil
}

// acquire waits until the update may run, or ctx is done. mine is the watch of an optimistic update, which passes its
// own reservation; nil: there is none.
//
// Everybody goes through the same order and lets go of all when a wait fails, so nobody waits in a circle: the gate of
// the store, the gates of definitions by their numbers, then the keys by their hashes. Mutexes of the layers above that
// are held over an update, such as that of a catalogue, come before all of these; those inside the store come last. Who
// meets a reservation holds nothing while it lasts.
func (s *Store) acquire(ctx context.Context, l *Latches, mine *watch) error {
	willLock(latched)
	err := s.wait(ctx, l, mine)
	if err == nil {
		locked(l, latched)
	}
	return err
}

func (s *Store) wait(ctx context.Context, l *Latches, mine *watch) error {
	if l.everything() {
		return s.gate.Close(ctx)
	}
	for {
		if err := s.acquireOnce(ctx, l); err != nil {
			return err
		}
		reserved := s.watches.reservation(&s.latches, l, mine)
		if reserved == nil {
			return nil
		}
		s.letGo(l)
		if err := reserved.wait(ctx); err != nil {
			return err
		}
	}
}

func (s *Store) acquireOnce(ctx context.Context, l *Latches) error {
	if err := s.gate.Enter(ctx); err != nil {
		return err
	}
	if err := s.enterDefinitions(ctx, l); err != nil {
		s.gate.Leave()
		return err
	}
	if err := s.latches.lock(ctx, l.hashes()); err != nil {
		s.leaveDefinitions(l)
		s.gate.Leave()
		return err
	}
	return nil
}

func (s *Store) enterDefinitions(ctx context.Context, l *Latches) error {
	passed := 0
	err := l.definitions(func(g *Gate) error {
		err := g.pass(ctx, l.alone)
		if err == nil {
			passed++
		}
		return err
	})
	if err == nil {
		return nil
	}
	_ = l.definitions(func(g *Gate) error {
		if passed == 0 {
			return err
		}
		passed--
		g.back(l.alone)
		return nil
	})
	return err
}

func (s *Store) leaveDefinitions(l *Latches) {
	_ = l.definitions(func(g *Gate) error {
		g.back(l.alone)
		return nil
	})
}

// giveBack gives back what acquire took.
func (s *Store) giveBack(l *Latches) {
	unlocked(l, latched)
	s.letGo(l)
}

func (s *Store) letGo(l *Latches) {
	if l.everything() {
		s.gate.Open()
		return
	}
	s.latches.unlock(l.hashes())
	s.leaveDefinitions(l)
	s.gate.Leave()
}
