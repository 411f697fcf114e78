package store

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/batchrepr"
)

// read returns the value of a key by Get.
func read(t *testing.T, s *Store, key []byte) (value []byte) {
	t.Helper()
	err := s.Get(key, func(v []byte, ok bool) error {
		if ok {
			value = append([]byte{}, v...)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// TestGetReturnsWhatWasWritten makes random updates, of single keys and of ranges, with values of all sizes, and
// compares what Get returns, by itself and in an update, with a map.
func TestGetReturnsWhatWasWritten(t *testing.T) {
	t.Parallel()
	s, err := Open(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	random := rand.New(rand.NewPCG(1, 2))
	model := map[string][]byte{}
	key := func() []byte { return fmt.Appendf(nil, "key-%04d", random.IntN(2000)) }
	write := func(tx *Tx) error {
		k := key()
		if random.IntN(5) == 0 {
			delete(model, string(k))
			return tx.Delete(k)
		}
		value := bytes.Repeat([]byte{byte(random.IntN(256))}, 1+random.IntN(2<<random.IntN(14)))
		model[string(k)] = value
		return tx.Set(k, value)
	}
	for range 20_000 {
		err := s.Update(Latches{}, func(tx *Tx) error {
			k := key()
			if value, ok, err := tx.Get(k); err != nil || ok != (model[string(k)] != nil) ||
				!bytes.Equal(value, model[string(k)]) {
				t.Errorf("Get in an update returns %d bytes, %v, %v: want %d", len(value), ok, err, len(model[string(k)]))
			}
			if random.IntN(200) == 0 {
				err := write(tx)
				lo, hi := key(), key()
				hi = slices.MaxFunc([][]byte{lo, hi}, bytes.Compare)
				if random.IntN(10) == 0 {
					hi = nil // no bound
				}
				maps.DeleteFunc(model, func(k string, _ []byte) bool {
					return string(lo) <= k && (hi == nil || k < string(hi))
				})
				if err = errors.Join(err, tx.DeleteRange(lo, hi)); err != nil {
					return err
				}
			}
			for range random.IntN(4) {
				if err := write(tx); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			k := key()
			if got := read(t, s, k); !bytes.Equal(got, model[string(k)]) {
				t.Fatalf("Get of %s returns %d bytes, want %d", k, len(got), len(model[string(k)]))
			}
		}
	}
}

// TestALargeCommitReplacesWhatGetReturned commits a batch of more than half a memtable, whose content Pebble takes.
func TestALargeCommitReplacesWhatGetReturned(t *testing.T) {
	t.Parallel()
	s, err := Open(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	key := []byte("key")
	set := func(value string, more int) {
		err := s.Update(Latches{}, func(tx *Tx) error {
			for i := range more {
				if err := tx.Set(fmt.Appendf(nil, "other-%d", i), make([]byte, 1<<20)); err != nil {
					return err
				}
			}
			return tx.Set(key, []byte(value))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	set("old", 0)
	if got := read(t, s, key); string(got) != "old" {
		t.Fatalf("Get returns %q", got)
	}
	set("new", 6)
	if got := read(t, s, key); string(got) != "new" {
		t.Errorf("Get returns %q after a large commit, want new", got)
	}
}

// TestAReadDuringACommitIsNotCached lets a reader find the old value before a commit, and return it after.
func TestAReadDuringACommitIsNotCached(t *testing.T) {
	t.Parallel()
	var r rows
	key := []byte("key")
	hash := xxhash.Sum64(key)
	_, _, before := r.get(hash, key, nil)
	hold := r.hold(setOf(t, key, "new"))
	_, _, during := r.get(hash, key, nil)
	r.fill(before, key, []byte("old"))
	r.fill(during, key, []byte("old"))
	if value, ok, _ := r.get(hash, key, nil); ok {
		t.Errorf("during the commit the cache has %q", value)
	}
	r.release(hold, true)
	r.fill(before, key, []byte("old"))
	r.fill(during, key, []byte("old"))
	if value, ok, _ := r.get(hash, key, nil); ok {
		t.Errorf("after the commit the cache has %q", value)
	}
	_, _, after := r.get(hash, key, nil)
	r.fill(after, key, []byte("new"))
	if value, _, _ := r.get(hash, key, nil); string(value) != "new" {
		t.Errorf("the cache has %q, want new", value)
	}
}

// setOf returns the writes of a commit that sets a key.
func setOf(t *testing.T, key []byte, value string) batchrepr.Reader {
	t.Helper()
	batch := new(pebble.Batch)
	t.Cleanup(func() { _ = batch.Close() })
	if err := batch.Set(key, []byte(value), nil); err != nil {
		t.Fatal(err)
	}
	return batch.Reader()
}

// rowsWith returns a cache that has the value old of a key.
func rowsWith(key []byte) *rows {
	var r rows
	_, _, ticket := r.get(xxhash.Sum64(key), key, nil)
	r.fill(ticket, key, []byte("old"))
	return &r
}

// TestCommitsOfOneKeyThatOverlapLeaveItOut ends two commits of one key in both orders: which came last is not known.
func TestCommitsOfOneKeyThatOverlapLeaveItOut(t *testing.T) {
	t.Parallel()
	key := []byte("key")
	for _, order := range [][2]int{{0, 1}, {1, 0}} {
		r := rowsWith(key)
		holds := [2]rowHold{r.hold(setOf(t, key, "one")), r.hold(setOf(t, key, "two"))}
		for _, n := range order {
			r.release(holds[n], true)
		}
		if value, ok, _ := r.get(xxhash.Sum64(key), key, nil); ok {
			t.Errorf("in the order %v, the cache has %q", order, value)
		}
	}
}

// TestAFailedCommitLeavesItsKeysOut says nothing of the value of a key whose commit failed.
func TestAFailedCommitLeavesItsKeysOut(t *testing.T) {
	t.Parallel()
	key := []byte("key")
	r := rowsWith(key)
	r.release(r.hold(setOf(t, key, "new")), false)
	if value, ok, _ := r.get(xxhash.Sum64(key), key, nil); ok {
		t.Errorf("the cache has %q", value)
	}
}

// TestARemovedRangeLeavesOtherRows removes ranges: the cache has the rows outside of them.
func TestARemovedRangeLeavesOtherRows(t *testing.T) {
	t.Parallel()
	key := []byte("key")
	for _, c := range []struct {
		lo, hi string
		has    bool
	}{{"a", "key", true}, {"kez", "z", true}, {"a", "z", false}, {"key", "kez", false}, {"key", "key\x00", false}} {
		r := rowsWith(key)
		batch := new(pebble.Batch)
		if err := batch.DeleteRange([]byte(c.lo), []byte(c.hi), nil); err != nil {
			t.Fatal(err)
		}
		r.release(r.hold(batch.Reader()), true)
		if _, ok, _ := r.get(xxhash.Sum64(key), key, nil); ok != c.has {
			t.Errorf("after [%q, %q) was removed, the row is there: %v", c.lo, c.hi, ok)
		}
		_ = batch.Close()
	}
}

// TestAFullStripeTakesNewRows fills a stripe several times over: what it has is right, the newest row is there, and its
// memory stays within the limit.
func TestAFullStripeTakesNewRows(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	var p rowStripe
	model := map[uint64][]byte{}
	for i := range 30_000 {
		hash := uint64(random.IntN(3000))
		key := fmt.Appendf(nil, "key-%d", hash)
		value := bytes.Repeat([]byte{byte(i)}, random.IntN(1<<(4+random.IntN(9))))
		model[hash] = value
		p.put(hash, key, value)
		if got, ok := p.find(hash, key); !ok || !bytes.Equal(got, value) {
			t.Fatalf("row %d, the newest: %v, %d bytes, want %d", hash, ok, len(got), len(value))
		}
		other := uint64(random.IntN(3000))
		if got, ok := p.find(other, fmt.Appendf(nil, "key-%d", other)); ok && !bytes.Equal(got, model[other]) {
			t.Fatalf("row %d has %d bytes, want %d", other, len(got), len(model[other]))
		}
	}
	if len(p.queue) > stripeBytes {
		t.Errorf("the queue has %d bytes, want at most %d", len(p.queue), stripeBytes)
	}
	if len(p.places) < 100 {
		t.Errorf("only %d rows are left", len(p.places))
	}
}

// TestKeysOfOneHashAreTwoKeys asks for another key of the same hash.
func TestKeysOfOneHashAreTwoKeys(t *testing.T) {
	t.Parallel()
	var p rowStripe
	p.put(7, []byte("one"), []byte("value"))
	if value, ok := p.find(7, []byte("two")); ok {
		t.Errorf("the other key has %q", value)
	}
}

// TestReadersOfManyKeysSeeTheirWriters checks, while writers of other keys hold the same stripes, that who wrote a key
// reads it back.
func TestReadersOfManyKeysSeeTheirWriters(t *testing.T) {
	t.Parallel()
	s, err := Open(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var running sync.WaitGroup
	for w := range 4 {
		running.Go(func() {
			for n := range 4000 {
				key := fmt.Appendf(nil, "writer-%d-%d", w, n%150)
				value := fmt.Appendf(nil, "%d", n)
				err := s.Update(Latch(key), func(tx *Tx) error { return tx.Set(key, value) })
				if err != nil {
					t.Error(err)
					return
				}
				for range 2 { // the second may come from the cache
					_ = s.Get(key, func(got []byte, _ bool) error {
						if !bytes.Equal(got, value) {
							t.Errorf("%s is %s after %s was written", key, got, value)
						}
						return nil
					})
				}
			}
		})
	}
	running.Wait()
}
