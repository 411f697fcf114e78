package recount_test

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/recount"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// newStore returns a store with n keys.
func newStore(t *testing.T, dir string, n int) *store.Store {
	t.Helper()
	s, err := store.Open(store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if err := s.Update(store.Latches{}, func(tx *store.Tx) error {
		for i := range n {
			if err := tx.Set(binary.BigEndian.AppendUint32(nil, uint32(i)), nil); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return s
}

// into returns a function that counts all keys into n, as if each had 1 MiB, and waits for next before each key after
// the first many.
func into(n *int, many int, next <-chan struct{}) func(*store.Reader, func(int) error) error {
	return func(r *store.Reader, counted func(int) error) error {
		it := r.Iter(nil, nil, false)
		defer it.Close()
		for it.Next() {
			if *n >= many {
				<-next
			}
			*n++
			if err := counted(1 << 20); err != nil {
				return err
			}
		}
		return it.Close()
	}
}

func unexpected(t *testing.T) func(error) { return func(err error) { t.Error(err) } }

// A small folder, and any store in memory, is counted before Start returns.
func TestSmallFoldersAreCountedAtOnce(t *testing.T) {
	t.Parallel()
	for dir, size := range map[string]int{t.TempDir(): 10, "": 100} {
		n := 0
		run, err := recount.Start(newStore(t, dir, size), into(&n, size, nil), unexpected(t))
		if err != nil {
			t.Fatal(err)
		}
		if n != size {
			t.Errorf("%d of %d are counted", n, size)
		}
		run.Stop()
	}
}

// Of a large folder a part is counted before Start returns, and the rest later, without what is written meanwhile.
func TestLargeFoldersAreCountedWhileTheyAreUsed(t *testing.T) {
	t.Parallel()
	const size = 100
	s, n, next := newStore(t, t.TempDir(), size), 0, make(chan struct{})
	run, err := recount.Start(s, into(&n, size-1, next), unexpected(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Update(store.Latches{}, func(tx *store.Tx) error {
		return tx.Set([]byte("written after Start"), nil)
	}); err != nil {
		t.Fatal(err)
	}
	close(next)
	if run.Wait(); n != size {
		t.Errorf("%d are counted, not %d", n, size)
	}
}

func TestCountingStops(t *testing.T) {
	t.Parallel()
	n := 0
	run, err := recount.Start(newStore(t, t.TempDir(), 1), func(_ *store.Reader, counted func(int) error) error {
		for { // never ends by itself
			n++
			if err := counted(1 << 10); err != nil {
				return err
			}
		}
	}, unexpected(t))
	if err != nil {
		t.Fatal(err)
	}
	run.Stop()
	run.Stop()
	(*recount.Run)(nil).Stop()
}

// An error before Start returns is its own; a later one is passed on.
func TestErrorsOfCounting(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	s := newStore(t, t.TempDir(), 1)
	if _, err := recount.Start(s, func(*store.Reader, func(int) error) error { return broken },
		unexpected(t)); !errors.Is(err, broken) {
		t.Errorf("Start returns %v", err)
	}
	var later error
	run, err := recount.Start(s, func(_ *store.Reader, counted func(int) error) error {
		return errors.Join(counted(1<<30), broken)
	}, func(err error) { later = err })
	if err != nil {
		t.Fatal(err)
	}
	if run.Wait(); !errors.Is(later, broken) {
		t.Errorf("the later error is %v", later)
	}
}

// A panic is an error too: nobody could recover from it.
func TestPanicsOfCounting(t *testing.T) {
	t.Parallel()
	s := newStore(t, t.TempDir(), 1)
	isPanic := func(err error) bool { return err != nil && strings.Contains(err.Error(), "broken") }
	if _, err := recount.Start(s, func(*store.Reader, func(int) error) error { panic("broken") },
		unexpected(t)); !isPanic(err) {
		t.Errorf("Start returns %v", err)
	}
	var later error
	run, err := recount.Start(s, func(_ *store.Reader, counted func(int) error) error {
		_ = counted(1 << 30)
		panic("broken")
	}, func(err error) { later = err })
	if err != nil {
		t.Fatal(err)
	}
	if run.Wait(); !isPanic(later) {
		t.Errorf("the later error is %v", later)
	}
}
