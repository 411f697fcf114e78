package store

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// TestLookupFindsWhatGetFinds writes, replaces and deletes keys of which some begin with others, in memtables and in
// tables of several levels, and compares the two ways to read them, on a view that later updates do not change.
func TestLookupFindsWhatGetFinds(t *testing.T) {
	t.Parallel()
	s := mustOpenMemory(t)
	random := rand.New(rand.NewPCG(3, 4))
	key := func() []byte { return bytes.Repeat([]byte(fmt.Sprintf("k%d", random.IntN(500))), 1+random.IntN(3)) }
	update := func() {
		err := s.Update(Latches{}, func(tx *Tx) error {
			switch random.IntN(40) {
			case 0:
				from := key()
				return tx.DeleteRange(from, append(bytes.Clone(from), 'z'))
			case 1, 2, 3, 4, 5, 6, 7, 8, 9, 10:
				return tx.Delete(key())
			}
			return tx.Set(key(), bytes.Repeat([]byte{byte(random.IntN(256))}, random.IntN(4000)))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	found := 0
	for round := range 8 {
		for range 500 {
			update()
		}
		if round%2 == 0 {
			if err := pebbleOf(s).Flush(); err != nil {
				t.Fatal(err)
			}
		}
		s.condition.tables.Store(largeData)
		err := s.View(func(r *Reader) error {
			l := r.Lookup()
			defer l.Close()
			for range 1000 {
				k := key()
				want, wanted, err := r.Get(k)
				value, ok, lookupErr := l.Get(k)
				if ok != wanted || !bytes.Equal(value, want) || err != nil || lookupErr != nil {
					return fmt.Errorf("%s: %d bytes, %v, %v; Get returns %d bytes, %v, %v", k, len(value), ok, lookupErr,
						len(want), wanted, err)
				}
				if ok {
					found++
				}
				if random.IntN(20) == 0 {
					update() // after the view
				}
			}
			return l.Close()
		})
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
	}
	if found < 1000 {
		t.Errorf("only %d keys were found", found)
	}
}

// TestTheSizeOfTablesIsFollowed compares the size that decides how a Lookup reads with what Pebble measures.
func TestTheSizeOfTablesIsFollowed(t *testing.T) {
	t.Parallel()
	s := mustOpenMemory(t)
	value := make([]byte, 64<<10)
	write := func(from, to int) {
		for i := from; i < to; i++ {
			err := s.Update(Latches{}, func(tx *Tx) error { return tx.Set(fmt.Appendf(nil, "key%d", i%300), value) })
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	write(0, 20)
	if isLarge(t, s) {
		t.Error("a store of 1 MB has much data")
	}
	write(20, 2500) // the same keys many times: compactions drop the former values
	if err := pebbleOf(s).Flush(); err != nil {
		t.Fatal(err)
	}
	await.True(t, "the sizes are equal", func() bool { return measuredBytes(pebbleOf(s)) == s.condition.tables.Load() })
	if !isLarge(t, s) {
		t.Errorf("a store of %d bytes has little data", s.condition.tables.Load())
	}
}

// isLarge reports whether a view of s has much data.
func isLarge(t *testing.T, s *Store) (large bool) {
	t.Helper()
	err := s.View(func(r *Reader) error {
		large = r.large
		return nil
	})
	if err = errors.Join(err, s.Update(Latches{}, func(tx *Tx) error {
		if tx.large {
			return errors.New("an update has a view's way to read")
		}
		return nil
	})); err != nil {
		t.Fatal(err)
	}
	return large
}
