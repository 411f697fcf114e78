package lag_test

import (
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// world is a store that is written and read like a table and one of its indexes.
type world struct {
	store   *store.Store
	clock   *clock.Clock
	overlay *lag.Overlay
}

type failer interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

func newWorld(t *testing.T, lagging bool) *world {
	t.Helper()
	w := &world{clock: clock.Manual(time.Unix(1000, 0))}
	w.overlay = lag.New(w.clock, 7, lagging)
	var err error
	if w.store, err = store.Open(store.Options{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.store.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// change is a key and its new value; "" means none.
type change struct{ key, value string }

// write makes changes in one transaction.
func (w *world) write(t failer, kind lag.Kind, lane string, changes ...change) {
	t.Helper()
	keys := make([][]byte, len(changes))
	for i, c := range changes {
		keys[i] = []byte(c.key)
	}
	err := w.store.Update(store.Latch(keys...), func(tx *store.Tx) error {
		var was []lag.Image
		for i, c := range changes {
			value, found, err := tx.Get(keys[i])
			if err != nil {
				return err
			}
			was = append(was, lag.Image{Key: keys[i], Value: value, Found: found})
			if c.value == "" {
				err = tx.Delete(keys[i])
			} else {
				err = tx.Set(keys[i], []byte(c.value))
			}
			if err != nil {
				return err
			}
		}
		w.overlay.Record(tx, kind, []byte(lane), was...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// get returns what a replica shows for a key; "" means none.
func (w *world) get(t failer, as lag.Replica, key string) (shown string) {
	t.Helper()
	m := w.overlay.Pin(as)
	defer m.Release()
	err := w.store.View(func(r *store.Reader) error {
		v := m.View(r)
		value, _, err := v.Get([]byte(key))
		shown = string(value)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return shown
}

// all returns what a replica shows for a range, in reading order.
func (w *world) all(t failer, as lag.Replica, lo, hi string, backward bool) (shown []change) {
	t.Helper()
	m := w.overlay.Pin(as)
	defer m.Release()
	err := w.store.View(func(r *store.Reader) error {
		v := m.View(r)
		it := v.Iter([]byte(lo), []byte(hi), backward)
		for it.Next() {
			shown = append(shown, change{string(it.Key()), string(it.Value())})
		}
		return it.Close()
	})
	if err != nil {
		t.Fatal(err)
	}
	return shown
}

func (w *world) advance(t failer, d time.Duration) {
	t.Helper()
	if err := w.clock.Advance(d); err != nil {
		t.Fatal(err)
	}
}

func TestWritesBecomeVisibleByTheClock(t *testing.T) {
	t.Parallel()
	w := newWorld(t, true)
	w.write(t, lag.Table, "a", change{"a", "1"})
	w.advance(t, lag.MaxDelay)
	w.write(t, lag.Table, "a", change{"a", "2"})
	w.write(t, lag.Table, "b", change{"b", "1"})
	for _, as := range []lag.Replica{lag.Second, lag.Third, lag.Oldest} {
		if a, b := w.get(t, as, "a"), w.get(t, as, "b"); a != "1" || b != "" {
			t.Errorf("replica %d shows a = %q and b = %q before the news", as, a, b)
		}
	}
	if a := w.get(t, lag.Leader, "a"); a != "2" {
		t.Errorf("the leader shows a = %q", a)
	}
	w.advance(t, lag.MaxDelay)
	if a, b := w.get(t, lag.Second, "a"), w.get(t, lag.Third, "b"); a != "2" || b != "1" {
		t.Errorf("a = %q and b = %q when all news are there", a, b)
	}
}

func TestDeletesAreHiddenUntilTheyArrive(t *testing.T) {
	t.Parallel()
	w := newWorld(t, true)
	w.write(t, lag.Index, "a", change{"x", "a"})
	w.advance(t, lag.MaxDelay)
	w.write(t, lag.Index, "a", change{"x", ""}, change{"y", "a"})
	if got := w.all(t, lag.Second, "", "", false); len(got) != 1 || got[0].key != "x" {
		t.Errorf("before the news the index shows %v", got)
	}
	w.advance(t, lag.MaxDelay)
	if got := w.all(t, lag.Second, "", "", true); len(got) != 1 || got[0].key != "y" {
		t.Errorf("after the news the index shows %v", got)
	}
}

func TestClearShowsWhatIsStored(t *testing.T) {
	t.Parallel()
	w := newWorld(t, true)
	w.write(t, lag.Table, "a", change{"a", "1"})
	w.overlay.Clear()
	if got := w.get(t, lag.Oldest, "a"); got != "1" {
		t.Errorf("a = %q after Clear", got)
	}
}

func TestOnlyOldestLagsDuringHoldOldest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, false)
	if w.overlay.Recording() || w.overlay.PickReplica() != lag.Leader {
		t.Error("an overlay that nobody asked for records")
	}
	stop := w.overlay.HoldOldest()
	w.write(t, lag.Table, "a", change{"a", "1"})
	if oldest, second := w.get(t, lag.Oldest, "a"), w.get(t, lag.Second, "a"); oldest != "" || second != "1" {
		t.Errorf("the oldest shows %q and the second %q", oldest, second)
	}
	w.advance(t, lag.MinStaleness-1)
	if got := w.get(t, lag.Oldest, "a"); got != "" {
		t.Errorf("the oldest shows %q too early", got)
	}
	w.advance(t, 1)
	if got := w.get(t, lag.Oldest, "a"); got != "1" {
		t.Errorf("the oldest shows %q when the time has come", got)
	}
	stop()
	stop()
	if w.overlay.Recording() {
		t.Error("it still records")
	}
}

func TestNilOverlayHasNoPendingWrites(t *testing.T) {
	t.Parallel()
	var none *lag.Overlay
	if none.Recording() || none.Lagging() || none.PickReplica() != lag.Leader {
		t.Error("a nil overlay lags")
	}
	if _, hidden := none.Before([]byte("a"), lag.Oldest); hidden {
		t.Error("a nil overlay hides a key")
	}
	none.Clear()
}

// TestPicksEveryReplica checks that an eventually consistent read may reach any replica.
func TestPicksEveryReplica(t *testing.T) {
	t.Parallel()
	o := lag.New(clock.Manual(time.Unix(1000, 0)), 1, true)
	picked := map[lag.Replica]int{}
	for range 3000 {
		picked[o.PickReplica()]++
	}
	for _, as := range []lag.Replica{lag.Leader, lag.Second, lag.Third} {
		if picked[as] < 800 || len(picked) != 3 {
			t.Errorf("of 3000 reads the replicas met %v", picked)
		}
	}
}

func TestStoppedClockDoesNotFillMemory(t *testing.T) {
	t.Parallel()
	w := newWorld(t, true)
	value := string(make([]byte, 300<<10))
	for range 1000 { // 300 MB in total
		w.write(t, lag.Table, "a", change{"a", value})
	}
	if got := lag.Held(w.overlay); got > 64<<20 {
		t.Errorf("%d bytes are held", got)
	}
	w.advance(t, 2*time.Second)
	if got := lag.Held(w.overlay); got != 0 {
		t.Errorf("%d bytes are held after all has arrived", got)
	}
}

// TestPageShowsOneMoment reads an index and then the table, while hidden writes arrive and others are made.
func TestPageShowsOneMoment(t *testing.T) {
	t.Parallel()
	w := newWorld(t, true)
	w.write(t, lag.Table, "", change{"item", "1"}, change{"x/1", "item"})
	w.advance(t, time.Minute)
	w.write(t, lag.Table, "", change{"item", ""}, change{"x/1", ""})
	m := w.overlay.Pin(lag.Oldest)
	defer m.Release()
	err := w.store.View(func(r *store.Reader) error {
		view := m.View(r)
		it := view.Iter([]byte("x/"), []byte("x0"), false)
		if !it.Next() {
			t.Error("the deletion is seen at once")
		}
		w.advance(t, time.Minute) // all replicas show it
		w.write(t, lag.Table, "", change{"another", "1"})
		if value, ok, err := view.Get(it.Value()); err != nil || !ok || string(value) != "1" {
			t.Errorf("the index has an item that the table shows as %q (%v, %v)", value, ok, err)
		}
		return it.Close()
	})
	if err != nil {
		t.Fatal(err)
	}
}
