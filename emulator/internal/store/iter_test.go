package store_test

import (
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// An iterator that is closed twice must not close the one that has taken its memory since.
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
