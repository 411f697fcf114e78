package store_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// turner seals the values of keys that begin with s by reversing them.
type turner struct{ locked bool }

var errLocked = errors.New("locked")

func (turner) Seal(dst, key, value []byte) ([]byte, bool, error) {
	if key[0] != 's' {
		return nil, false, nil
	}
	return append(append(dst, '#'), turned(value)...), true, nil
}

func (s turner) Open(dst, _, stored []byte) ([]byte, bool, error) {
	if !bytes.HasPrefix(stored, []byte("#")) {
		return nil, false, nil
	}
	if s.locked {
		return nil, false, errLocked
	}
	return append(dst, turned(stored[1:])...), true, nil
}

func turned(b []byte) []byte {
	b = slices.Clone(b)
	slices.Reverse(b)
	return b
}

func TestSealedValuesAreReadAsTheyWere(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		put(t, s, "s0", "before")
		s.SetSealer(turner{})
		put(t, s, "a", "plain", "s1", "secret", "s2", "another")
		wantAll(t, s, "a=plain s0=before s1=secret s2=another ")
		err := s.Get([]byte("s1"), func(value []byte, ok bool) error {
			if string(value) != "secret" || !ok {
				t.Errorf("got %q, %v", value, ok)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		err = s.Update(store.Latch([]byte("s1")), func(tx *store.Tx) error {
			value, _, err := tx.Get([]byte("s1"))
			if string(value) != "secret" {
				t.Errorf("an update got %q", value)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
		s.SetSealer(nil)
		wantAll(t, s, "a=plain s0=before s1=#terces s2=#rehtona ")
	})
}

func TestSealedValuesWithoutAKey(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		s.SetSealer(turner{})
		put(t, s, "s1", "secret")
		s.SetSealer(turner{locked: true})
		if err := s.Get([]byte("s1"), func([]byte, bool) error { return nil }); !errors.Is(err, errLocked) {
			t.Errorf("Get: %v", err)
		}
		err := s.View(func(r *store.Reader) error {
			if _, _, err := r.Get([]byte("s1")); !errors.Is(err, errLocked) {
				t.Errorf("a reader's Get: %v", err)
			}
			it := r.Iter(nil, nil, false)
			if it.Next(); it.Value() != nil {
				t.Error("a value without its key")
			}
			return it.Close()
		})
		if !errors.Is(err, errLocked) {
			t.Errorf("Iter: %v", err)
		}
	})
}

// TestSnapshotsKeepSealedValuesSealed restores snapshots in another store, with and without the sealer.
func TestSnapshotsKeepSealedValuesSealed(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		s.SetSealer(turner{})
		put(t, s, "s1", "secret")
		snapshot, err := s.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		other := open(t, "")
		if err := other.Restore(snapshot); err != nil {
			t.Fatal(err)
		}
		wantAll(t, other, "s1=#terces ")
		other.SetSealer(turner{})
		wantAll(t, other, "s1=secret ")
	})
}
