package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// each runs a test with a store in memory and with one in a folder.
func each(t *testing.T, test func(t *testing.T, s *store.Store)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		test(t, open(t, ""))
	})
	t.Run("disk", func(t *testing.T) {
		t.Parallel()
		test(t, open(t, t.TempDir()))
	})
}

// open opens a folder, as it was created or, if it is new, encrypted. An empty dir means memory.
func open(t testing.TB, dir string) *store.Store {
	t.Helper()
	_, err := os.Stat(filepath.Join(dir, "FORMAT"))
	return openFolder(t, store.Options{Dir: dir, Encrypt: dir != "" && err != nil})
}

func openFolder(t testing.TB, opts store.Options) *store.Store {
	t.Helper()
	s, err := store.Open(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil && !errors.Is(err, store.ErrClosed) {
			t.Error(err)
		}
	})
	return s
}

// put sets keys to values, given in turn, in one update.
func put(t testing.TB, s *store.Store, pairs ...string) {
	t.Helper()
	err := s.Update(store.Latch([]byte(pairs[0])), func(tx *store.Tx) error {
		for i := 0; i < len(pairs); i += 2 {
			if err := tx.Set([]byte(pairs[i]), []byte(pairs[i+1])); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// dump returns the keys and values of a range, in order.
func dump(r *store.Reader, lo, hi []byte, reverse bool) (string, error) {
	var b bytes.Buffer
	it := r.Iter(lo, hi, reverse)
	for it.Next() {
		fmt.Fprintf(&b, "%s=%s ", it.Key(), it.Value())
	}
	return b.String(), it.Close()
}

func wantAll(t testing.TB, s *store.Store, want string) {
	t.Helper()
	err := s.View(func(r *store.Reader) error {
		got, err := dump(r, nil, nil, false)
		if got != want {
			t.Errorf("the store holds %q, want %q", got, want)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestUpdateCommitsAllOrNothing(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		put(t, s, "a", "1", "b", "2")
		refused := errors.New("refused")
		err := s.Update(store.Latch([]byte("a"), []byte("c")), func(tx *store.Tx) error {
			if err := errors.Join(tx.Set([]byte("a"), []byte("9")), tx.Delete([]byte("b"))); err != nil {
				return err
			}
			return refused
		})
		if !errors.Is(err, refused) {
			t.Errorf("Update returned %v, want %v", err, refused)
		}
		wantAll(t, s, "a=1 b=2 ")
	})
}

func TestPanicReleasesLatchesAndWritesNothing(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		func() {
			defer func() { _ = recover() }()
			_ = s.Update(store.Latch([]byte("a")), func(tx *store.Tx) error {
				if err := tx.Set([]byte("a"), []byte("half")); err != nil {
					return err
				}
				panic("a bug above the store")
			})
		}()
		put(t, s, "a", "1")
		wantAll(t, s, "a=1 ")
	})
}

func TestTxReadsCommittedState(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		put(t, s, "a", "1")
		err := s.Update(store.Latch([]byte("a")), func(tx *store.Tx) error {
			if err := tx.Set([]byte("a"), []byte("2")); err != nil {
				return err
			}
			value, ok, err := tx.Get([]byte("a"))
			if string(value) != "1" || !ok {
				t.Errorf("Get(a) = %q, %v, want the committed 1", value, ok)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		wantAll(t, s, "a=2 ")
	})
}

func TestGet(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		put(t, s, "a", "1", "empty", "")
		for key, want := range map[string]string{"a": "1 true", "empty": " true", "b": " false"} {
			var got string
			err := s.Get([]byte(key), func(value []byte, ok bool) error {
				got = fmt.Sprintf("%s %v", value, ok)
				return nil
			})
			if err != nil || got != want {
				t.Errorf("Get(%s) = %q, %v, want %q", key, got, err, want)
			}
		}
		mine := errors.New("mine")
		if err := s.Get([]byte("a"), func([]byte, bool) error { return mine }); !errors.Is(err, mine) {
			t.Errorf("Get returned %v, want the function's error", err)
		}
	})
}

func TestIterWalksARangeBothWays(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		put(t, s, "a", "1", "b", "2", "c", "3", "d", "4")
		err := s.View(func(r *store.Reader) error {
			for _, c := range []struct {
				lo, hi  string
				reverse bool
				want    string
			}{
				{"b", "d", false, "b=2 c=3 "},
				{"b", "d", true, "c=3 b=2 "},
				{"", "b", true, "a=1 "},
				{"bb", "bc", false, ""},
			} {
				got, err := dump(r, []byte(c.lo), []byte(c.hi), c.reverse)
				if err != nil || got != c.want {
					t.Errorf("Iter(%q, %q, %v) = %q, %v, want %q", c.lo, c.hi, c.reverse, got, err, c.want)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

func TestDeleteRange(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		put(t, s, "a", "1", "b", "2", "c", "3")
		err := s.Update(store.Latches{}, func(tx *store.Tx) error { return tx.DeleteRange([]byte("a"), []byte("c")) })
		if err != nil {
			t.Fatal(err)
		}
		wantAll(t, s, "c=3 ")
	})
}

func TestKeysAtTheEnds(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		first, last := "\x00", strings.Repeat("\xff", 63)
		put(t, s, first, "1", last, "2")
		wantAll(t, s, first+"=1 "+last+"=2 ")
		for _, key := range []string{"", last + "\xff", last + "\xffa"} {
			err := s.Update(store.Latch([]byte(key)), func(tx *store.Tx) error { return tx.Set([]byte(key), nil) })
			if !errors.Is(err, store.ErrKey) {
				t.Errorf("Set(%q) returned %v, want ErrKey", key, err)
			}
		}
		err := s.Update(store.Latches{}, func(tx *store.Tx) error { return tx.DeleteRange(nil, nil) })
		if err != nil {
			t.Fatal(err)
		}
		wantAll(t, s, "")
	})
}

func TestConcurrentIncrementsAreNotLost(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		const workers, each, counters = 8, 50, 3
		var wg sync.WaitGroup
		for w := range workers {
			wg.Go(func() {
				for i := range each {
					increment(t, s, fmt.Sprintf("counter%d", (w+i)%counters), fmt.Sprintf("counter%d", (w+i+1)%counters))
				}
			})
		}
		wg.Wait()
		total := 0
		for c := range counters {
			_ = s.Get(fmt.Appendf(nil, "counter%d", c), func(value []byte, _ bool) error { total += number(value); return nil })
		}
		if want := 2 * workers * each; total != want {
			t.Errorf("the counters are %d in all, want %d", total, want)
		}
	})
}

// increment increments each key, in one update.
func increment(t *testing.T, s *store.Store, keys ...string) {
	latches := store.Latch([]byte(keys[0]), []byte(keys[1]))
	err := s.Update(latches, func(tx *store.Tx) error {
		for _, key := range keys {
			value, _, err := tx.Get([]byte(key))
			if err != nil {
				return err
			}
			if err := tx.Set([]byte(key), fmt.Append(nil, number(value)+1)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func number(value []byte) (n int) {
	_, _ = fmt.Sscan(string(value), &n)
	return n
}

func TestCloseRunsWhatIsRegisteredLastFirst(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir)
	s.OnClose(func() error { put(t, s, "last", "1"); return nil })
	s.OnClose(func() error { put(t, s, "last", "0"); return nil })
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	wantAll(t, open(t, dir), "last=1 ")
}

func TestClosedStoreAnswersErrClosed(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		_, snapshotErr := s.Snapshot()
		for name, err := range map[string]error{
			"Update":   s.Update(store.Latches{}, func(*store.Tx) error { return nil }),
			"View":     s.View(func(*store.Reader) error { return nil }),
			"Get":      s.Get([]byte("a"), func([]byte, bool) error { return nil }),
			"Snapshot": snapshotErr,
			"Reset":    s.Reset(),
			"Close":    s.Close(),
		} {
			if !errors.Is(err, store.ErrClosed) {
				t.Errorf("%s returned %v, want ErrClosed", name, err)
			}
		}
	})
}

func TestCloseWaitsForWhatRuns(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		closed := make(chan error)
		err := s.View(func(r *store.Reader) error {
			go func() { closed <- s.Close() }()
			for s.Get([]byte("a"), func([]byte, bool) error { return nil }) == nil { // until Close has begun
			}
			_, _, err := r.Get([]byte("a"))
			return err
		})
		if err := errors.Join(err, <-closed); err != nil {
			t.Fatal(err)
		}
	})
}

func TestHundredsOfStoresSideBySide(t *testing.T) {
	t.Parallel()
	for i := range 200 {
		s := open(t, "")
		put(t, s, "store", fmt.Sprint(i))
		wantAll(t, s, fmt.Sprintf("store=%d ", i))
	}
}

// The functions of OnCommit run when the update is visible, and not when it has failed.
func TestOnCommitRunsOfCommits(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		vain, ran := errors.New("in vain"), 0
		err := s.Update(store.Latch([]byte("a")), func(tx *store.Tx) error {
			tx.OnCommit(func() { ran++ })
			return errors.Join(tx.Set([]byte("a"), []byte("1")), vain)
		})
		if !errors.Is(err, vain) || ran != 0 {
			t.Errorf("of an update that failed: %v, it ran %d times", err, ran)
		}
		err = s.Update(store.Latch([]byte("a")), func(tx *store.Tx) error {
			tx.OnCommit(func() { wantAll(t, s, "a=2 ") })
			tx.OnCommit(func() { ran++ })
			return tx.Set([]byte("a"), []byte("2"))
		})
		if err != nil || ran != 1 {
			t.Errorf("of an update: %v, it ran %d times", err, ran)
		}
		err = s.Update(store.Latch([]byte("a")), func(tx *store.Tx) error {
			tx.OnCommit(func() { ran++ })
			return nil
		})
		if err != nil || ran != 2 {
			t.Errorf("of one that writes nothing: %v, it ran %d times", err, ran)
		}
	})
}
