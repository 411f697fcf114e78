package expiry_test

import (
	"errors"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/expiry"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// testQueue is a queue whose entries are identified by words.
type testQueue struct {
	*expiry.Queue
	store  *store.Store
	clock  *clock.Clock
	purged []string
	stuck  map[string]bool // words whose entries cannot be purged
	panics map[string]bool // words whose removal panics
	kept   map[string]bool // words whose entries are left alone
}

var prefix = []byte("x")

// newTestQueue returns a queue at second 1000. Entries are due one second after their own, and ignored after 5000.
func newTestQueue(t *testing.T) *testQueue {
	t.Helper()
	d := &testQueue{clock: clock.Manual(time.Unix(1000, 0)), stuck: map[string]bool{}, panics: map[string]bool{},
		kept: map[string]bool{}}
	var err error
	if d.store, err = store.Open(store.Options{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.store.Close() })
	d.Queue = expiry.New(expiry.Config{Store: d.store, Clock: d.clock, Logger: slog.New(slog.DiscardHandler),
		Prefix: prefix, Grace: 1, MaxAge: 5000,
		Fire: func() {
			d.Sweep()
		}, Purge: d.purge, Retained: func(entry []byte) bool { return d.kept[string(d.KeySuffix(entry))] }})
	return d
}

func (d *testQueue) purge(entry []byte) error {
	word := string(d.KeySuffix(entry))
	if d.panics[word] {
		panic("broken")
	}
	if d.stuck[word] {
		return errors.New("stuck")
	}
	if d.kept[word] {
		return nil
	}
	d.purged = append(d.purged, word)
	return d.store.Update(store.Latch(entry), func(tx *store.Tx) error { return tx.Delete(entry) })
}

// enter adds an entry, with Notice.
func (d *testQueue) enter(t *testing.T, second int64, word string) {
	t.Helper()
	key := append(expiry.Key(prefix, second), word...)
	if err := d.store.Update(store.Latch(key), func(tx *store.Tx) error { return tx.Set(key, nil) }); err != nil {
		t.Fatal(err)
	}
	d.ScheduleEntry(second)
}

// wants moves the clock and checks which entries are purged.
func (d *testQueue) wants(t *testing.T, by time.Duration, words ...string) {
	t.Helper()
	if err := d.clock.Advance(by); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(d.purged, words) {
		t.Errorf("at %d: %v are purged, not %v", d.clock.Now().Unix(), d.purged, words)
	}
	d.purged = nil
}

func TestEntriesArePurgedWhenTheyAreDue(t *testing.T) {
	t.Parallel()
	d := newTestQueue(t)
	d.enter(t, 1010, "b")
	d.enter(t, 1005, "a")
	d.enter(t, 1010, "c")
	d.wants(t, 5*time.Second)
	d.wants(t, time.Second, "a")
	d.wants(t, time.Hour, "b", "c")
	d.enter(t, 1000, "late")
	d.wants(t, 0, "late")
}

// An entry that cannot be purged delays no other entry, neither those that are due nor later ones.
func TestASweepGoesOnBehindAnEntryThatCannotBePurged(t *testing.T) {
	t.Parallel()
	d := newTestQueue(t)
	d.stuck["b"] = true
	for i, word := range []string{"a", "b", "c", "d"} {
		d.enter(t, 1005+int64(i/3)*20, word)
	}
	d.wants(t, 6*time.Second, "a", "c")
	d.wants(t, 20*time.Second, "d")
	d.stuck["b"] = false
	d.wants(t, time.Minute, "b")
}

func TestASweepGoesOnBehindARemovalThatPanics(t *testing.T) {
	t.Parallel()
	d := newTestQueue(t)
	d.panics["b"] = true
	for _, word := range []string{"a", "b", "c"} {
		d.enter(t, 1005, word)
	}
	d.wants(t, 6*time.Second, "a", "c")
	d.panics["b"] = false
	d.wants(t, time.Minute, "b")
}

// A sweep that panics outside of a purge is repeated after a minute.
func TestASweepThatPanicsIsRepeated(t *testing.T) {
	t.Parallel()
	d := newTestQueue(t)
	sweeps := 0
	d.Fire = func() {
		if sweeps++; sweeps == 1 {
			panic("broken")
		}
		d.Sweep()
	}
	d.Queue = expiry.New(d.Config)
	d.enter(t, 1005, "a")
	d.wants(t, 6*time.Second)
	d.wants(t, time.Minute, "a")
}

func TestMoreEntriesThanOneChunk(t *testing.T) {
	t.Parallel()
	d := newTestQueue(t)
	var words []string
	for i := range 1200 {
		word := string([]byte{byte('a' + i/100), byte('0' + i/10%10), byte('0' + i%10)})
		words = append(words, word)
		d.enter(t, 1005, word)
	}
	d.wants(t, time.Minute, words...)
}

// The timer does not wait for kept entries; SweepAll purges them once they are not kept any more.
func TestEntriesAreLeftAlone(t *testing.T) {
	t.Parallel()
	d := newTestQueue(t)
	d.kept["kept"] = true
	d.enter(t, 1005, "kept")
	d.enter(t, 1006, "other")
	d.wants(t, time.Minute, "other")
	d.kept["kept"] = false
	d.wants(t, time.Hour)
	d.SweepAll()
	d.wants(t, 0, "kept")

	d.Stop()
	d.enter(t, 7000, "too old")
	d.Stop()
	d.wants(t, 4*time.Hour)
	if err := d.Schedule(); err != nil {
		t.Fatal(err)
	}
	d.Sweep()
	d.wants(t, time.Hour)
}

// TestManyEntriesGoOneAfterTheOther makes entries of many seconds fall due: each sweep reads only what is due, not the
// tombstones of all earlier entries, which took minutes. Entries that are added late, for a second that was swept, are
// purged all the same.
func TestManyEntriesGoOneAfterTheOther(t *testing.T) {
	t.Parallel()
	const entries = 30_000
	d := newTestQueue(t)
	d.MaxAge = 0
	for i := range entries {
		d.enter(t, 2000+int64(i), "entry")
	}
	began := time.Now()
	if err := d.clock.Advance((entries / 2) * time.Second); err != nil {
		t.Fatal(err)
	}
	d.enter(t, 2000+entries/4, "late")
	if err := d.clock.Advance(entries * time.Second); err != nil {
		t.Fatal(err)
	}
	if len(d.purged) != entries+1 || !slices.Contains(d.purged, "late") {
		t.Errorf("%d entries of %d went", len(d.purged), entries+1)
	}
	if took := time.Since(began); took > await.Timeout {
		t.Errorf("it took %v", took)
	}
}
