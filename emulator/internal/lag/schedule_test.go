package lag_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/schedule"
	"github.com/tabletop-db/tabletop/internal/testutil/seeds"
)

// TestEveryInterleaving runs writers, readers and the clock in a random order that a seed determines, switching
// wherever it could matter: between a write's reservation, record, commit and end, and between the reads of one moment.
// Each writer gives its two keys the same number, and aborts now and then. A moment shows the same number for both
// keys, never an older one than its replica showed before, and never a later write of an order without the earlier
// ones.
func TestEveryInterleaving(t *testing.T) {
	t.Parallel()
	seeds.Run(t, 60, func(t *testing.T, seed uint64) {
		schedule.Run(t, seed, func(t *testing.T) []schedule.Worker {
			s := &scheduled{world: newWorld(t, true), random: rand.New(rand.NewPCG(seed, 1))}
			t.Cleanup(func() { s.checkOrder(t) })
			workers := []schedule.Worker{s.moveClock}
			for w := range 3 {
				workers = append(workers, func(yield func()) { s.writer(t, w, yield) })
			}
			for _, as := range []lag.Replica{lag.Second, lag.Third, lag.Second} {
				workers = append(workers, func(yield func()) { s.reader(t, as, yield) })
			}
			return workers
		})
	})
}

// scheduled is the shared state of the workers, one of which runs at a time.
type scheduled struct {
	*world
	random   *rand.Rand
	numbers  int // of reserved writes
	reserved []reservation
	seen     [][3]int // the numbers that moments showed, by writer
}

// reservation is a committed write, and its place in the order.
type reservation struct{ writer, number int }

func (s *scheduled) moveClock(yield func()) {
	for range 12 {
		if err := s.clock.Advance([]time.Duration{time.Millisecond, 5 * time.Millisecond,
			time.Minute}[s.random.IntN(3)]); err != nil {
			panic(err)
		}
		yield()
	}
}

func pairOf(writer int) [2][]byte {
	return [2][]byte{fmt.Appendf(nil, "%d/a", writer), fmt.Appendf(nil, "%d/b", writer)}
}

var errAbort = errors.New("the condition failed")

func (s *scheduled) writer(t *testing.T, writer int, yield func()) {
	keys := pairOf(writer)
	for range 6 {
		err := s.store.Update(store.Latch(keys[:]...), func(tx *store.Tx) error {
			yield()
			w := s.overlay.Reserve(tx, lag.Table, []byte("order"))
			s.numbers++
			number := s.numbers
			yield()
			var was []lag.Image
			for _, key := range keys {
				value, found, err := tx.Get(key)
				if err != nil {
					return err
				}
				was = append(was, lag.Image{Key: key, Value: value, Found: found})
			}
			w.Record(was...)
			yield()
			if s.random.IntN(4) == 0 {
				return errAbort
			}
			s.reserved = append(s.reserved, reservation{writer, number})
			tx.OnCommit(yield)
			return errors.Join(tx.Set(keys[0], fmt.Append(nil, number)), tx.Set(keys[1], fmt.Append(nil, number)))
		})
		if err != nil && !errors.Is(err, errAbort) {
			t.Error(err)
		}
		yield()
	}
}

func (s *scheduled) reader(t *testing.T, as lag.Replica, yield func()) {
	var before [3]int
	for range 10 {
		m := s.overlay.Pin(as)
		yield()
		err := s.store.View(func(r *store.Reader) error {
			yield()
			view := m.View(r)
			var numbers [3]int
			for writer := range numbers {
				n, err := s.readPair(t, &view, writer, yield)
				if err != nil {
					return err
				}
				if numbers[writer] = n; n < before[writer] {
					t.Errorf("replica %d shows %d of writer %d, and showed %d before", as, n, writer, before[writer])
				}
			}
			before, s.seen = numbers, append(s.seen, numbers)
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		m.Release()
		yield()
	}
}

// readPair reads both keys of a writer, by Get and by an iterator, and returns their number.
func (s *scheduled) readPair(t *testing.T, view *lag.View, writer int, yield func()) (int, error) {
	keys := pairOf(writer)
	first, _, err := view.Get(keys[0])
	if err != nil {
		return 0, err
	}
	text := string(first)
	yield()
	it := view.Iter(keys[0], fmt.Appendf(nil, "%d/c", writer), s.random.IntN(2) == 0)
	pairs := 0
	for it.Next() {
		if pairs++; string(it.Value()) != text {
			t.Errorf("a moment shows writer %d as %q and as %q", writer, text, it.Value())
		}
		yield()
	}
	if (text == "") != (pairs == 0) || text != "" && pairs != 2 {
		t.Errorf("a moment shows writer %d as %q, and %d keys of it", writer, text, pairs)
	}
	number := 0
	if text != "" {
		_, err = fmt.Sscan(text, &number)
	}
	return number, errors.Join(err, it.Close())
}

// checkOrder finds moments that show a write without an earlier one.
func (s *scheduled) checkOrder(t *testing.T) {
	for _, numbers := range s.seen {
		latest := max(numbers[0], numbers[1], numbers[2])
		for _, one := range s.reserved {
			if one.number <= latest && numbers[one.writer] < one.number {
				t.Errorf("a moment shows write %d, and of writer %d only %d, who wrote %d before", latest, one.writer,
					numbers[one.writer], one.number)
				return
			}
		}
	}
}
