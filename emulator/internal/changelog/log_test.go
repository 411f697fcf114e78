package changelog_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// fixture is a log in a store of its own.
type fixture struct {
	store *store.Store
	clock *clock.Clock
	log   *changelog.Log
	all   *changelog.Logs
}

func newFixture(t testing.TB, dir string, now time.Time) *fixture {
	t.Helper()
	s, err := store.Open(store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{store: s, clock: clock.Manual(now)}
	t.Cleanup(func() { _ = s.Close() }) // closed already if the test closed it
	f.all = changelog.New(s, f.clock)
	if f.log, err = f.all.Open(7); err != nil {
		t.Fatal(err)
	}
	return f
}

// put appends a change and returns its position.
func (f *fixture) put(t testing.TB, key string) changelog.Position {
	t.Helper()
	ticket := f.log.Begin()
	defer ticket.End()
	var p changelog.Position
	err := f.store.Update(store.Latch([]byte(key)), func(tx *store.Tx) (err error) {
		p, err = f.log.Append(tx, &changelog.Record{Kind: changelog.Insert, Key: []byte(key)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// keys returns the keys of the changes between two positions.
func (f *fixture) keys(t testing.TB, from, to changelog.Position, backward bool) []string {
	t.Helper()
	keys := []string{}
	err := f.store.View(func(r *store.Reader) error {
		return f.log.Read(r, from, to, backward, func(_ changelog.Position, record changelog.Record) (bool, error) {
			keys = append(keys, string(record.Key))
			return true, nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

const end = changelog.Position(1<<64 - 1)

func TestPositionsAreTimesAndIncrease(t *testing.T) {
	t.Parallel()
	f := newFixture(t, "", noon)
	first := f.put(t, "a")
	if !first.Time().Equal(noon) {
		t.Errorf("the first change is of %v, want %v", first.Time(), noon)
	}
	if second := f.put(t, "b"); second != first+1 {
		t.Errorf("the clock stands still, and after %d comes %d", first, second)
	}
	advance(t, f.clock, time.Hour)
	if third := f.put(t, "c"); !third.Time().Equal(noon.Add(time.Hour)) {
		t.Errorf("an hour later the change is of %v", third.Time())
	}
	if diff := cmp.Diff([]string{"a", "b", "c"}, f.keys(t, 0, end, false)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"c", "b"}, f.keys(t, first+1, end, true)); diff != "" {
		t.Error(diff)
	}
}

func TestReadStopsWhenVisitReturnsFalse(t *testing.T) {
	t.Parallel()
	f := newFixture(t, "", noon)
	for i := range 5 {
		f.put(t, fmt.Sprint(i))
	}
	n := 0
	err := f.store.View(func(r *store.Reader) error {
		return f.log.Read(r, 0, end, false, func(changelog.Position, changelog.Record) (bool, error) {
			n++
			return n < 3, nil
		})
	})
	if err != nil || n != 3 {
		t.Errorf("read %d changes (%v), want 3", n, err)
	}
}

// TestFloorStaysBelowOpenWrites: a change must not be read while an earlier one may still follow.
func TestFloorStaysBelowOpenWrites(t *testing.T) {
	t.Parallel()
	f := newFixture(t, "", noon)
	first := f.put(t, "first")
	slow := f.log.Begin()
	second := f.put(t, "second")
	if floor := f.log.Floor(); floor < first || floor >= second {
		t.Errorf("floor %d with an open writer, want from %d to before %d", floor, first, second)
	}
	slow.End()
	if floor := f.log.Floor(); floor != second {
		t.Errorf("floor %d with no open writer, want %d", floor, second)
	}
	advance(t, f.clock, time.Minute)
	floor := f.log.Floor()
	if third := f.put(t, "third"); floor < second || floor >= third || third != floor+1 {
		t.Errorf("floor %d after a minute, then a change at %d", floor, third)
	}
}

func TestTicketsAreGivenBackInAnyOrder(t *testing.T) {
	t.Parallel()
	f := newFixture(t, "", noon)
	a, b, c := f.log.Begin(), f.log.Begin(), f.log.Begin()
	p := f.put(t, "x")
	b.End()
	d := f.log.Begin()
	a.End()
	c.End()
	if floor := f.log.Floor(); floor != p {
		t.Errorf("floor %d, want %d: all writers before it have ended", floor, p)
	}
	q := f.put(t, "y")
	if floor := f.log.Floor(); floor >= q {
		t.Errorf("floor %d at or after %d, with an open writer", floor, q)
	}
	d.End()
	var none *changelog.Log
	none.Begin().End()
}

func TestTrim(t *testing.T) {
	t.Parallel()
	f := newFixture(t, "", noon)
	f.put(t, "old")
	advance(t, f.clock, time.Hour)
	young := f.put(t, "young")
	if err := f.log.Trim(changelog.At(noon.Add(time.Minute))); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"young"}, f.keys(t, 0, end, false)); diff != "" {
		t.Error(diff)
	}
	if first, ok, err := f.log.First(); first != young || !ok || err != nil {
		t.Errorf("First() = %d, %v, %v, want %d", first, ok, err, young)
	}
	if err := f.log.Trim(changelog.At(noon.Add(2 * time.Hour))); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := f.log.First(); ok || err != nil {
		t.Errorf("an emptied log has a first change (%v)", err)
	}
}

// TestPositionsGoOn: positions are never reused, neither by another process with an earlier clock nor by a log without
// changes.
func TestPositionsGoOn(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		do   func(f *fixture) error
	}{
		{"changes", func(*fixture) error { return nil }},
		{"trimmed", func(f *fixture) error { return f.log.Trim(end) }},
		{"dropped", func(f *fixture) error { return f.store.Update(store.Latch(), f.log.Drop) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			f := newFixture(t, dir, noon)
			f.put(t, "a")
			before := f.put(t, "b")
			if err := test.do(f); err != nil {
				t.Fatal(err)
			}
			if err := f.store.Close(); err != nil {
				t.Fatal(err)
			}
			if p := newFixture(t, dir, noon.Add(-time.Hour)).put(t, "c"); p != before+1 {
				t.Errorf("after %d comes %d, want the next one", before, p)
			}
		})
	}
}

func TestMarksCountAsPositions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f := newFixture(t, dir, noon)
	before := f.put(t, "a")
	var mark changelog.Position
	err := f.store.Update(store.Latch(), func(tx *store.Tx) (err error) {
		mark, err = f.log.Mark(tx)
		return err
	})
	if err != nil || mark <= before {
		t.Fatalf("the mark is %d (%v), want it after %d", mark, err, before)
	}
	if err := f.store.Close(); err != nil {
		t.Fatal(err)
	}
	if p := newFixture(t, dir, noon.Add(-time.Hour)).put(t, "b"); p <= mark {
		t.Errorf("a change at %d, not after the mark at %d", p, mark)
	}
}

func TestRestoredAndResetLogsGoOn(t *testing.T) {
	t.Parallel()
	f := newFixture(t, "", noon)
	f.put(t, "a")
	snapshot, err := f.store.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	before := f.put(t, "b")
	for _, replace := range []func() error{func() error { return f.store.Restore(snapshot) }, f.store.Reset} {
		if err := replace(); err != nil {
			t.Fatal(err)
		}
		if err := f.all.Reload(); err != nil {
			t.Fatal(err)
		}
		after := f.put(t, "c")
		if after <= before {
			t.Errorf("after %d comes %d", before, after)
		}
		before = after
	}
	if diff := cmp.Diff([]string{"c"}, f.keys(t, 0, end, false)); diff != "" {
		t.Error(diff)
	}
}

func advance(t testing.TB, c *clock.Clock, d time.Duration) {
	t.Helper()
	if err := c.Advance(d); err != nil {
		t.Fatal(err)
	}
}

// A retired log is forgotten. Another one with its id has no changes, and later positions.
func TestRetiredLogsAreForgotten(t *testing.T) {
	t.Parallel()
	f := newFixture(t, "", noon)
	last := f.put(t, "a")
	if err := f.store.Update(store.Latches{}, func(tx *store.Tx) error { return f.log.Retire(tx) }); err != nil {
		t.Fatal(err)
	}
	retired := f.log
	var err error
	if f.log, err = f.all.Open(7); err != nil {
		t.Fatal(err)
	}
	if f.log == retired {
		t.Error("the log is still there")
	}
	if _, ok, err := f.log.First(); ok || err != nil {
		t.Errorf("a new log has a change: %v, %v", ok, err)
	}
	if p := f.put(t, "b"); p <= last {
		t.Errorf("the position %d is not after %d", p, last)
	}
}

// TestPositionsOfDistantTimes checks times that are no number of nanoseconds since 1970.
func TestPositionsOfDistantTimes(t *testing.T) {
	t.Parallel()
	const least, most changelog.Position = 0, math.MaxInt64
	for year, want := range map[int]changelog.Position{-290_000_000: least, 1385: least, 1653: least, 1969: least,
		2026: changelog.Position(noon.UnixNano()), 2263: most, 2611: most, 290_000_000: most} {
		if got := changelog.At(time.Date(year, 11, 21, 12, 0, 0, 0, time.UTC)); got != want {
			t.Errorf("the position of %d is %d, want %d", year, got, want)
		}
	}
}

// TestASavedPositionSurvivesAnEarlierClock checks that changes follow the position that SaveAhead stored, also if
// the log is trimmed afterwards and the next process has an earlier clock.
func TestASavedPositionSurvivesAnEarlierClock(t *testing.T) {
	t.Parallel()
	f := newFixture(t, "", noon.Add(time.Hour))
	f.put(t, "a")
	advance(t, f.clock, time.Hour)
	at := changelog.At(f.clock.Now())
	f.log.SaveAhead(t.Context(), at)
	if err := f.log.Trim(changelog.At(noon)); err != nil {
		t.Fatal(err)
	}
	var err error
	if f.log, err = changelog.New(f.store, clock.Manual(noon)).Open(7); err != nil {
		t.Fatal(err)
	}
	if p := f.put(t, "b"); p <= at {
		t.Errorf("the position %d is not after %d", p, at)
	}
}

// TestPollsOfARunningClockShareASavedPosition checks that SaveAhead does not write for each of many polls, and that
// changes follow also the position that was not written itself.
func TestPollsOfARunningClockShareASavedPosition(t *testing.T) {
	t.Parallel()
	const speed = 2
	var writes int // an update pauses several times
	s, err := store.Open(store.Options{Pause: func() { writes++ }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c := clock.Manual(noon)
	if err := c.SetSpeed(speed); err != nil {
		t.Fatal(err)
	}
	c.Resume()
	log, err := changelog.New(s, c).Open(7)
	if err != nil {
		t.Fatal(err)
	}
	first := changelog.At(noon.Add(time.Hour)) // after the clock, however slow this test is
	log.SaveAhead(t.Context(), first)
	before := writes
	later := first + changelog.Position(speed*time.Second)
	log.SaveAhead(t.Context(), later)
	if writes != before {
		t.Error("a poll within the same second of the machine stores its position")
	}
	if log.SaveAhead(t.Context(), later+1); writes == before {
		t.Error("a later poll does not store its position")
	}
	f := &fixture{store: s}
	if f.log, err = changelog.New(s, clock.Manual(noon)).Open(7); err != nil {
		t.Fatal(err)
	}
	if p := f.put(t, "b"); p <= later+1 {
		t.Errorf("the position %d is not after %d", p, later+1)
	}
}
