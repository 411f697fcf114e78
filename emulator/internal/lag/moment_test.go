package lag_test

import (
	"errors"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// TestAMomentOutlivesWhatArrivesMeanwhile pins a moment, and lets everything arrive, be retired and be overwritten:
// what the moment shows stays the same for every Reader, and its memory is freed with it.
func TestAMomentOutlivesWhatArrivesMeanwhile(t *testing.T) {
	t.Parallel()
	w := newWorld(t, true)
	w.write(t, lag.Table, "", change{"a", "1"}, change{"b", "1"})
	w.advance(t, time.Minute)
	w.write(t, lag.Table, "", change{"a", "2"}, change{"b", "2"})
	m := w.overlay.Pin(lag.Second)
	for n := range 3 {
		w.advance(t, time.Minute)
		w.write(t, lag.Table, "", change{"a", "3"}, change{"b", ""}, change{"c", "3"})
		err := w.store.View(func(r *store.Reader) error {
			view := m.View(r)
			for _, key := range []string{"a", "b"} {
				if value, _, err := view.Get([]byte(key)); err != nil || string(value) != "1" {
					t.Errorf("round %d: %s = %q (%v), want 1", n, key, value, err)
				}
			}
			if value, ok, err := view.Get([]byte("c")); ok || err != nil {
				t.Errorf("round %d: c = %q (%v), want none", n, value, err)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	w.advance(t, time.Minute)
	if lag.Held(w.overlay) == 0 {
		t.Error("nothing is held for a moment that is pinned")
	}
	m.Release()
	m.Release()
	if got := lag.Held(w.overlay); got != 0 {
		t.Errorf("%d bytes are held after all has arrived and the moment was released", got)
	}
}

// TestAMomentHidesWhatIsCommittedLater pins a moment while a write is recorded but not committed. Although the clock is
// far ahead at the commit, the moment does not show the write, not even after a later write of some of its keys.
func TestAMomentHidesWhatIsCommittedLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t, true)
	var m lag.Moment
	err := w.store.Update(store.Latch([]byte("a"), []byte("b")), func(tx *store.Tx) error {
		w.overlay.Record(tx, lag.Table, nil, lag.Image{Key: []byte("a")}, lag.Image{Key: []byte("b")})
		w.advance(t, time.Minute)
		m = w.overlay.Pin(lag.Second)
		return errors.Join(tx.Set([]byte("a"), []byte("1")), tx.Set([]byte("b"), []byte("1")))
	})
	if err != nil {
		t.Fatal(err)
	}
	w.write(t, lag.Table, "", change{"a", "2"})
	defer m.Release()
	err = w.store.View(func(r *store.Reader) error {
		view := m.View(r)
		for _, key := range []string{"a", "b"} {
			if value, ok, err := view.Get([]byte(key)); ok || err != nil {
				t.Errorf("%s = %q (%v), want none", key, value, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestAnAbortedWriteLeavesNothing aborts writes by an error and by a panic: they hide nothing, hold no memory, and
// delay no other write of their order.
func TestAnAbortedWriteLeavesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, true)
	for _, key := range []string{"", "order"} {
		w.write(t, lag.Table, key, change{"a", "1"})
		w.advance(t, time.Minute)
		_ = w.store.Update(store.Latch([]byte("a")), func(tx *store.Tx) error {
			w.overlay.Record(tx, lag.Table, []byte(key), lag.Image{Key: []byte("a"), Value: []byte("1"), Found: true})
			return errors.New("the condition failed")
		})
		func() {
			defer func() { _ = recover() }()
			_ = w.store.Update(store.Latch([]byte("a")), func(tx *store.Tx) error {
				w.overlay.Reserve(tx, lag.Table, []byte(key))
				panic("a bug")
			})
		}()
		if got := lag.Held(w.overlay); got != 0 {
			t.Errorf("order %q: %d bytes are held for what was aborted", key, got)
		}
		w.write(t, lag.Table, key, change{"a", "2"})
		w.advance(t, time.Minute)
		if got := w.get(t, lag.Second, "a"); got != "2" {
			t.Errorf("order %q: a = %q after the write behind an aborted one arrived", key, got)
		}
	}
}

// TestWritesArriveInTheOrderOfTheirReservation commits the second of two writes first: no replica shows it before the
// first.
func TestWritesArriveInTheOrderOfTheirReservation(t *testing.T) {
	t.Parallel()
	w := newWorld(t, true)
	reserve := func(tx *store.Tx, key string) {
		w.overlay.Reserve(tx, lag.Table, []byte("order")).Record(lag.Image{Key: []byte(key)})
	}
	first, reserved, committed := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		committed <- w.store.Update(store.Latch([]byte("first")), func(tx *store.Tx) error {
			reserve(tx, "first")
			close(reserved)
			<-first
			return tx.Set([]byte("first"), []byte("1"))
		})
	}()
	<-reserved
	err := w.store.Update(store.Latch([]byte("second")), func(tx *store.Tx) error {
		reserve(tx, "second")
		return tx.Set([]byte("second"), []byte("2"))
	})
	if err != nil {
		t.Fatal(err)
	}
	w.advance(t, time.Minute)
	if got := w.get(t, lag.Second, "second"); got != "" {
		t.Errorf("the second write is shown, as %q, and the first is not committed", got)
	}
	close(first)
	if err := <-committed; err != nil {
		t.Fatal(err)
	}
	w.advance(t, time.Minute)
	if first, second := w.get(t, lag.Second, "first"), w.get(t, lag.Second, "second"); first != "1" || second != "2" {
		t.Errorf("the writes are shown as %q and %q", first, second)
	}
}
