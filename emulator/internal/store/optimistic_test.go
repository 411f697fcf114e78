package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func mustOpenMemory(t *testing.T) *Store {
	t.Helper()
	s, err := Open(Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func set(t *testing.T, s *Store, key, value string) {
	t.Helper()
	if err := s.Update(Latch([]byte(key)), func(tx *Tx) error { return tx.Set([]byte(key), []byte(value)) }); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, s *Store, key string) (text string) {
	t.Helper()
	err := s.Get([]byte(key), func(value []byte, _ bool) error {
		text = string(value)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// An update in preparation blocks nobody: no key of any stripe, including its own, no definition, including its own,
// and nothing that runs alone in the whole store. All of these return while prepare waits for them.
func TestPrepareDoesNotBlockOthers(t *testing.T) {
	t.Parallel()
	s := mustOpenMemory(t)
	gate, other := s.NewGate(), s.NewGate()
	tries := 0
	err := s.UpdateOptimistic(t.Context(), Latch([]byte("mine")).Within(gate), func(tx *Tx) error {
		if tries++; tries > 1 {
			return tx.Set([]byte("mine"), []byte("prepared"))
		}
		seen := map[int]bool{}
		for i := 0; len(seen) < stripes; i++ {
			key := fmt.Appendf(nil, "key%d", i)
			l := Latch(key)
			seen[stripeOf(l.hashes()[0])] = true
			if err := s.Update(l.Within(gate), func(tx *Tx) error { return tx.Set(key, key) }); err != nil {
				return err
			}
		}
		set(t, s, "mine", "plain")
		nothing := func(*Tx) error { return nil }
		err := errors.Join(s.Update(Latch().Alone(other), nothing), s.Update(Latch().Alone(gate), nothing), s.Reset())
		return errors.Join(err, tx.Set([]byte("mine"), []byte("of a try that came to nothing")))
	}, nil)
	if err != nil || tries != 2 || get(t, s, "mine") != "prepared" {
		t.Errorf("%v after %d tries, and the value is %q; want none after 2, and what was prepared last", err, tries,
			get(t, s, "mine"))
	}
}

// An update is prepared again if and only if another one changed what it depends on.
func TestConflictsOfOptimisticUpdates(t *testing.T) {
	t.Parallel()
	nothing := func(*Tx) error { return nil }
	for _, c := range []struct {
		name    string
		between func(s *Store, own, other *Gate) error
		tries   int
	}{
		{"nothing", func(*Store, *Gate, *Gate) error { return nil }, 1},
		{"its key", func(s *Store, own, _ *Gate) error { return s.Update(Latch([]byte("mine")).Within(own), nothing) }, 2},
		{"its key among others", func(s *Store, own, _ *Gate) error {
			return s.Update(Latch([]byte("a"), []byte("b"), []byte("c"), []byte("d"), []byte("mine")).Within(own), nothing)
		}, 2},
		{"another key of its stripe", func(s *Store, own, _ *Gate) error {
			return s.Update(Latch(sameStripe("mine")).Within(own), nothing)
		}, 1},
		{"a failed update of its key", func(s *Store, own, _ *Gate) error {
			_ = s.Update(Latch([]byte("mine")).Within(own), func(*Tx) error { return errors.New("refused") })
			return nil
		}, 1},
		{"its definition", func(s *Store, own, _ *Gate) error { return s.Update(Latch().Alone(own), nothing) }, 2},
		{"an update that excludes it", func(s *Store, own, _ *Gate) error {
			return s.Update(Latch().Excluding(own), nothing)
		}, 1},
		{"another definition", func(s *Store, _, other *Gate) error { return s.Update(Latch().Alone(other), nothing) }, 1},
		{"a reset", func(s *Store, _, _ *Gate) error { return s.Reset() }, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := mustOpenMemory(t)
			own, other, tries, commits := s.NewGate(), s.NewGate(), 0, 0
			err := s.UpdateOptimistic(t.Context(), Latch([]byte("mine")).Within(own), func(tx *Tx) error {
				if tries++; tries > 1 {
					return tx.Set([]byte("mine"), nil)
				}
				tx.OnCommit(func() { commits += 100 }) // of a failed try, if there were two
				return errors.Join(tx.Set([]byte("mine"), nil), c.between(s, own, other))
			}, func(*Tx) error { commits++; return nil })
			if want := map[int]int{1: 101, 2: 1}[c.tries]; err != nil || tries != c.tries || commits != want {
				t.Errorf("%v, %d tries and commits %d; want %d tries and %d", err, tries, commits, c.tries, want)
			}
		})
	}
}

// sameStripe returns another key of the same stripe.
func sameStripe(key string) []byte {
	l := Latch([]byte(key))
	want := stripeOf(l.hashes()[0])
	for i := 0; ; i++ {
		other := fmt.Appendf(nil, "other%d", i)
		if l := Latch(other); stripeOf(l.hashes()[0]) == want {
			return other
		}
	}
}

// Three tries conflict; then writers of the key wait until the fourth is committed.
func TestTheLastTryIsReserved(t *testing.T) {
	t.Parallel()
	s := mustOpenMemory(t)
	tries := 0
	var late sync.WaitGroup
	err := s.UpdateOptimistic(t.Context(), Latch([]byte("key")), func(tx *Tx) error {
		if tries++; tries < optimisticTries {
			set(t, s, "key", "plain")
			return tx.Set([]byte("key"), []byte("prepared"))
		}
		held := s.watches.reserved(Latch([]byte("key")).inline[0], nil)
		if held == nil {
			t.Error("the fourth try has no reservation")
		}
		late.Go(func() { set(t, s, "key", get(t, s, "key")+", then plain") })
		late.Go(func() { set(t, s, "another", "plain") })
		return tx.Set([]byte("key"), []byte("prepared"))
	}, nil)
	late.Wait()
	if err != nil || tries != optimisticTries || get(t, s, "another") != "plain" {
		t.Errorf("%v after %d tries", err, tries)
	}
	if len(s.watches.all) != 0 || len(s.turns.all) != 0 {
		t.Errorf("%d watches and %d turns are left", len(s.watches.all), len(s.turns.all))
	}
}

// A reservation expires: a writer of the key continues, and the optimistic update fails.
func TestReservationsEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, err := Open(Options{})
		if err != nil {
			t.Fatal(err)
		}
		waited := time.Duration(0)
		err = s.UpdateOptimistic(t.Context(), Latch([]byte("key")), func(tx *Tx) error {
			began := time.Now()
			set(t, s, "key", "plain")
			waited = time.Since(began)
			return tx.Set([]byte("key"), nil)
		}, nil)
		if !errors.Is(err, ErrConflict) || waited != reservedFor {
			t.Errorf("%v after a wait of %v, want %v after %v", err, waited, ErrConflict, reservedFor)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

// However long the updates before it take, the wait of an update for its turn is limited.
func TestWaitsForATurnEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, err := Open(Options{})
		if err != nil {
			t.Fatal(err)
		}
		waited := time.Duration(0)
		err = s.UpdateOptimistic(t.Context(), Latch([]byte("key")), func(tx *Tx) error {
			began := time.Now()
			second := s.UpdateOptimistic(t.Context(), Latch([]byte("key")), func(*Tx) error { return nil }, nil)
			waited = time.Since(began)
			return second
		}, nil)
		if !errors.Is(err, ErrConflict) || waited != turnFor {
			t.Errorf("%v after a wait of %v, want %v after %v", err, waited, ErrConflict, turnFor)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

// Every wait ends with its request: for a key, for a definition from either side, for the whole store, a turn, or a
// reservation. The waiting update has not run, and the one that it waited for continues.
func TestWaitsEndWithTheirRequest(t *testing.T) {
	t.Parallel()
	key := []byte("key")
	nothing := func(*Tx) error { return nil }
	plain := func(l func(*Gate) Latches) func(context.Context, *Store, *Gate) error {
		return func(ctx context.Context, s *Store, g *Gate) error { return s.UpdateContext(ctx, l(g), nothing) }
	}
	optimistic := func(ctx context.Context, s *Store, _ *Gate) error {
		return s.UpdateOptimistic(ctx, Latch(key), nothing, nil)
	}
	everything := plain(func(*Gate) Latches { return Latches{} })
	within := plain(func(g *Gate) Latches { return Latch([]byte("another")).Within(g) })
	alone := plain(func(g *Gate) Latches { return Latch([]byte("another")).Alone(g) })
	withKey := plain(func(*Gate) Latches { return Latch([]byte("another"), key) })
	for _, c := range []struct {
		name  string
		holds func(s *Store, g *Gate, fn func(*Tx) error) error
		waits func(context.Context, *Store, *Gate) error
	}{
		{"a key", holding(func(*Gate) Latches { return Latch(key) }), withKey},
		{"a key, to begin an optimistic update", holding(func(*Gate) Latches { return Latch(key) }), optimistic},
		{"a definition that changes", holding(func(g *Gate) Latches { return Latch().Alone(g) }), within},
		{"a definition in use", holding(func(g *Gate) Latches { return Latch(key).Within(g) }), alone},
		{"another change of a definition", holding(func(g *Gate) Latches { return Latch().Alone(g) }), alone},
		{"what runs alone", holding(func(*Gate) Latches { return Latches{} }), within},
		{"anything, to run alone", holding(func(*Gate) Latches { return Latch(key) }), everything},
		{"a turn", func(s *Store, _ *Gate, fn func(*Tx) error) error {
			return s.UpdateOptimistic(context.Background(), Latch(key), fn, nil)
		}, optimistic},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { leaveWhileWaiting(t, c.holds, c.waits) })
		})
	}
}

func leaveWhileWaiting(t *testing.T, holds func(*Store, *Gate, func(*Tx) error) error, waits func(context.Context,
	*Store, *Gate) error) {
	s, err := Open(Options{})
	if err != nil {
		t.Fatal(err)
	}
	g := s.NewGate()
	err = holds(s, g, func(*Tx) error {
		ctx, cancel := context.WithCancel(context.Background())
		returned := make(chan error, 1)
		go func() { returned <- waits(ctx, s, g) }()
		synctest.Wait()
		if len(returned) > 0 {
			t.Error("it did not wait")
		}
		cancel()
		if err := <-returned; !errors.Is(err, context.Canceled) {
			t.Errorf("it returned %v, want %v", err, context.Canceled)
		}
		return nil
	})
	if err := errors.Join(err, waits(context.Background(), s, g)); err != nil {
		t.Errorf("afterwards: %v", err)
	}
	checkIdle(t, s, g)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func holding(l func(*Gate) Latches) func(*Store, *Gate, func(*Tx) error) error {
	return func(s *Store, g *Gate, fn func(*Tx) error) error { return s.Update(l(g), fn) }
}

// checkIdle checks that no lock is left held.
func checkIdle(t *testing.T, s *Store, gates ...*Gate) {
	t.Helper()
	for i := range s.latches {
		if n := len(s.latches[i].latches); n != 0 || s.latches[i].watched.Load() != 0 {
			t.Errorf("stripe %d has %d latches and %d watches", i, n, s.latches[i].watched.Load())
		}
	}
	for _, g := range append(gates, s.gate) {
		if n := g.inside.Load(); n != 0 || len(g.turn) != 0 || g.queued != 0 || g.reopened != nil {
			t.Errorf("gate %d has %d inside", g.number, n)
		}
	}
	if len(s.watches.all) != 0 || len(s.turns.all) != 0 {
		t.Errorf("%d watches and %d turns are left", len(s.watches.all), len(s.turns.all))
	}
}

func balance(value []byte) int64 {
	if len(value) != 8 {
		return 0
	}
	return int64(binary.BigEndian.Uint64(value))
}

// An optimistic update that only reads does not conflict with writers.
func TestOptimisticReadsDoNotConflict(t *testing.T) {
	t.Parallel()
	s := mustOpenMemory(t)
	tries, seen := 0, ""
	set(t, s, "key", "before")
	err := s.UpdateOptimistic(t.Context(), Latch([]byte("key")), func(tx *Tx) error {
		tries++
		set(t, s, "key", "after")
		value, _, err := tx.Get([]byte("key"))
		seen = string(value)
		return err
	}, func(*Tx) error { return errors.New("there is nothing to commit") })
	if err != nil || tries != 1 || seen != "before" {
		t.Errorf("%v after %d tries, and it saw %q", err, tries, seen)
	}
}
