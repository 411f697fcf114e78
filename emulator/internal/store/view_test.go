package store_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

func TestViewIsOneSnapshot(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		put(t, s, "a", "1")
		err := s.View(func(r *store.Reader) error {
			put(t, s, "a", "2", "b", "2")
			_, ok, err := r.Get([]byte("b"))
			if ok {
				t.Error("the view sees a key set after it began")
			}
			got, dumpErr := dump(r, nil, nil, false)
			if got != "a=1 " {
				t.Errorf("the view holds %q, want the state of its beginning", got)
			}
			return errors.Join(err, dumpErr)
		})
		if err != nil {
			t.Fatal(err)
		}
		wantAll(t, s, "a=2 b=2 ")
	})
}

// TestViewRangeIsOneState changes a store while it is iterated over: the iterator sees the state of its beginning, and
// nothing else can be read, which could be of another state.
func TestViewRangeIsOneState(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		put(t, s, "a", "1", "c", "1")
		err := s.ViewRange(func(r *store.Reader) error {
			it := r.Iter(nil, nil, false)
			defer it.Close()
			got := ""
			for it.Next() {
				got += fmt.Sprintf("%s=%s ", it.Key(), it.Value())
				put(t, s, "b", "2", "c", "2")
			}
			if got != "a=1 c=1 " {
				t.Errorf("the iterator returned %q, want the state of its beginning", got)
			}
			if _, _, err := r.Get([]byte("b")); err == nil {
				t.Error("a key could be read after the iterator")
			}
			second := r.Iter(nil, nil, false)
			if second.Next() || second.Close() == nil {
				t.Error("a second iterator could be read")
			}
			return it.Close()
		})
		if err != nil {
			t.Fatal(err)
		}
		err = s.ViewRange(func(r *store.Reader) error {
			_, _, err := r.Get([]byte("b"))
			return err
		})
		if err == nil {
			t.Error("a key could be read without the iterator")
		}
	})
}
