package store_test

import (
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// An iterator that is closed twice must not close the one that has reused its memory since.
func TestIterIsClosedOnce(t *testing.T) {
	t.Parallel()
	s, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	key := []byte("k")
	if err := s.Update(store.Latch(key), func(tx *store.Tx) error { return tx.Set(key, []byte("v")) }); err != nil {
		t.Fatal(err)
	}
	err = s.View(func(r *store.Reader) error {
		first := r.Iter(nil, nil, false)
		if err := first.Close(); err != nil {
			return err
		}
		second := r.Iter(nil, nil, false)
		if err := first.Close(); err != nil {
			return err
		}
		if !second.Next() || string(second.Key()) != "k" {
			t.Error("closing the first iterator again closed the second")
		}
		return second.Close()
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestSeekFindsAKeyAndGoesOnFromIt(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	put(t, s, "a", "1", "c", "3", "e", "5")
	for _, c := range []struct {
		key, next string
		reverse   bool
		found     bool
	}{{"c", "e", false, true}, {"d", "", false, false}, {"a", "c", false, true}, {"c", "a", true, true},
		{"b", "", true, false}} {
		err := s.View(func(r *store.Reader) error {
			it := r.Iter(nil, nil, c.reverse)
			defer it.Close()
			if it.Seek([]byte(c.key)) != c.found {
				t.Errorf("%s is found: %t", c.key, !c.found)
			}
			if c.found && (!it.Next() || string(it.Key()) != c.next) {
				t.Errorf("behind %s comes %s", c.key, it.Key())
			}
			return it.Close()
		})
		if err != nil {
			t.Error(err)
		}
	}
}
