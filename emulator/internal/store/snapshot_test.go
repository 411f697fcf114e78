package store_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

func TestSnapshotAndRestore(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		put(t, s, "a", "1", "b", "2")
		snapshot, err := s.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // a snapshot can be restored any number of times
			put(t, s, "a", "9", "c", "9")
			if err := s.Restore(snapshot); err != nil {
				t.Fatal(err)
			}
			wantAll(t, s, "a=1 b=2 ")
			wantGet(t, s, map[string]string{"a": "1", "b": "2", "c": ""})
		}
		other := open(t, "")
		if err := other.Restore(snapshot); err != nil {
			t.Fatal(err)
		}
		wantGet(t, other, map[string]string{"a": "1", "b": "2", "c": ""})
	})
}

// TestASnapshotThatIsTooLargeIsRefused takes snapshots below a limit of their size: Pebble's own one, at which it
// panics, is 4 GiB.
func TestASnapshotThatIsTooLargeIsRefused(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		const limit = 4 << 20
		put(t, s, "a", strings.Repeat("x", limit/2))
		if _, err := s.SnapshotBelow(limit); err != nil {
			t.Error(err)
		}
		put(t, s, "b", strings.Repeat("x", limit/2))
		const want = "a snapshot can have 4 MB, and the data has 4 MB: back up a data folder instead, or delete some"
		if _, err := s.SnapshotBelow(limit); err == nil || err.Error() != want {
			t.Errorf("the snapshot of too much data returned %v", err)
		}
		put(t, s, "c", "1") // the store continues
	})
}

func TestReset(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		put(t, s, "a", "1", "\xff\xff", "2")
		if err := s.Reset(); err != nil {
			t.Fatal(err)
		}
		wantAll(t, s, "")
		put(t, s, "b", "1")
		wantGet(t, s, map[string]string{"a": "", "b": "1"})
	})
}

func TestResetSurvivesReopening(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir)
	put(t, s, "a", "1", "b", "2", "d", "3")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, dir) // so that the keys are in a table, and their deletion is in the log
	deletion := func(tx *store.Tx) error { return tx.DeleteRange([]byte("a"), []byte("ab")) }
	if err := errors.Join(s.Reset(), s.Update(store.Latches{}, deletion), s.Close()); err != nil {
		t.Fatal(err)
	}
	wantAll(t, open(t, dir), "")
}

func TestRestoreSurvivesReopening(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir)
	put(t, s, "a", "1")
	snapshot, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	put(t, s, "b", "2")
	if err := errors.Join(s.Restore(snapshot), s.Close()); err != nil {
		t.Fatal(err)
	}
	wantAll(t, open(t, dir), "a=1 ")
}

// Writers keep all keys equal; a concurrent restore must neither mix with an update nor be visible in part.
func TestRestoreUnderConcurrentWriters(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		keys := []string{"a", "b", "c", "d"}
		setAll(t, s, keys, "0")
		snapshot, err := s.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		var workers sync.WaitGroup
		stop := make(chan struct{})
		for w := range 4 {
			workers.Go(func() {
				for i := 0; ; i++ {
					select {
					case <-stop:
						return
					default:
						setAll(t, s, keys, fmt.Sprintf("%d.%d", w, i))
						wantEqual(t, s, len(keys))
					}
				}
			})
		}
		for i := range 20 {
			err := s.Restore(snapshot)
			if i%5 == 4 {
				err = errors.Join(err, s.Reset())
			}
			if err != nil {
				t.Error(err)
			}
			wantEqual(t, s, len(keys))
		}
		close(stop)
		workers.Wait()
	})
}

// setAll sets all keys to a new value, if they are equal before.
func setAll(t *testing.T, s *store.Store, keys []string, value string) {
	latches := store.Latch([]byte("a"), []byte("b"), []byte("c"), []byte("d"), []byte("all"))
	err := s.Update(latches, func(tx *store.Tx) error {
		first, _, err := tx.Get([]byte(keys[0]))
		for _, key := range keys {
			before, _, getErr := tx.Get([]byte(key))
			if string(before) != string(first) {
				t.Errorf("an update sees %s=%q beside %q", key, before, first)
			}
			err = errors.Join(err, getErr, tx.Set([]byte(key), []byte(value)))
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// wantEqual checks that one view has that many keys with one value, or no key.
func wantEqual(t *testing.T, s *store.Store, keys int) {
	err := s.View(func(r *store.Reader) error {
		all, err := dump(r, nil, nil, false)
		pairs := strings.Fields(all)
		for _, pair := range pairs {
			if pair[1:] != pairs[0][1:] || len(pairs) != keys {
				t.Errorf("a view sees %q", all)
				break
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func wantGet(t *testing.T, s *store.Store, want map[string]string) {
	t.Helper()
	for key, value := range want {
		err := s.Get([]byte(key), func(got []byte, ok bool) error {
			if string(got) != value || ok != (value != "") {
				t.Errorf("Get(%s) = %q, %v, want %q", key, got, ok, value)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}
