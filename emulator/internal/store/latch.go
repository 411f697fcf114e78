package store

import (
	"context"
	"slices"

	"github.com/cespare/xxhash/v2"
)

// inlineLatches is how many keys a [Latches] holds without an allocation: enough for most writes.
const inlineLatches = 4

// Latches names what an update depends on: the keys that it reads or writes, and the gates of the definitions that it
// uses. The zero value, and Latch without keys or gates, means everything: the update runs alone in the whole store,
// which only Restore, Reset and tests need.
type Latches struct {
	n      int
	inline [inlineLatches]uint64 // hashes of the keys, in ascending order
	more   []uint64              // all hashes, if they are more than inline holds
	gate   *Gate                 // the first of the gates; nil: none
	gates  []*Gate               // all gates, in the order of their numbers, if there are several
	alone  bool                  // whether the update has the gates exclusively
	keeps  bool                  // whether the definitions of the gates stay as they are, although it is alone
}

// Latch returns the latches of keys. The order of the keys does not matter, and no order can deadlock.
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

// Within returns the latches with gates that the update passes together with others: the definitions that they protect
// do not change during the update.
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

// Alone returns the latches with gates that no other update passes during this one. It is for changes of definitions,
// which wait only for the updates within these gates.
func (l Latches) Alone(gates ...*Gate) Latches {
	l = l.Within(gates...)
	l.alone = true
	return l
}

// Excluding is Alone for an update that changes no definition, and nothing that optimistic updates depend on: they do
// not conflict with it.
func (l Latches) Excluding(gates ...*Gate) Latches {
	l = l.Alone(gates...)
	l.keeps = true
	return l
}

// everything reports whether the update runs alone in the whole store.
func (l *Latches) everything() bool { return l.n == 0 && l.gate == nil }

// hashes returns the distinct hashes of the keys in ascending order.
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

// acquire waits until the update may run or ctx is done. mine is the watch of an optimistic update, whose own
// reservation does not stop it; it may be nil.
//
// All updates take locks in the same order and release all of them when a wait fails, so there is no deadlock: the gate
// of the store, the gates of definitions by their numbers, then the keys by their hashes. Mutexes of the packages above
// that are held over an update, such as that of a catalogue, come before all of these; those in the store come last. An
// update that meets a reservation holds nothing while it waits for its end.
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
		s.unlockAll(l)
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
		err := g.enterOrClose(ctx, l)
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
		g.leaveOrOpen(l)
		return nil
	})
	return err
}

func (s *Store) leaveDefinitions(l *Latches) {
	_ = l.definitions(func(g *Gate) error {
		g.leaveOrOpen(l)
		return nil
	})
}

// releaseLatches releases what acquire took.
func (s *Store) releaseLatches(l *Latches) {
	unlocked(l, latched)
	s.unlockAll(l)
}

func (s *Store) unlockAll(l *Latches) {
	if l.everything() {
		s.gate.Open()
		return
	}
	s.latches.unlock(l.hashes())
	s.leaveDefinitions(l)
	s.gate.Leave()
}
