package store

import (
	"encoding/binary"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
)

// counters are keys whose values only grow, and the least known value of each.
type counters struct {
	store  *Store
	lowest [5]atomic.Uint64
}

func (c *counters) key(i int) []byte { return fmt.Appendf(nil, "key-%d", i) }

func number(value []byte) uint64 {
	if value == nil {
		return 0
	}
	return binary.BigEndian.Uint64(value)
}

// add increments a key.
func (c *counters) add(i int) error {
	var next uint64
	err := c.store.Update(Latch(c.key(i)), func(tx *Tx) error {
		value, _, err := tx.Get(c.key(i))
		if err != nil {
			return err
		}
		next = number(value) + 1
		return tx.Set(c.key(i), binary.BigEndian.AppendUint64(nil, next))
	})
	raise(&c.lowest[i], next)
	return err
}

// read reads a key by itself and in a snapshot.
func (c *counters) read(t *testing.T, i int) {
	seen := func(by string, least uint64, value []byte) {
		if got := number(value); got < least {
			t.Errorf("%s sees %d after %d", by, got, least)
		}
		raise(&c.lowest[i], number(value))
	}
	least := c.lowest[i].Load()
	_ = c.store.Get(c.key(i), func(value []byte, _ bool) error {
		seen("Get", least, value)
		return nil
	})
	least = c.lowest[i].Load()
	_ = c.store.View(func(r *Reader) error {
		value, _, err := r.Get(c.key(i))
		seen("View", least, value)
		return err
	})
}

// TestReadersNeverGoBackInTime increments keys while readers read them: no reader sees a smaller number than one that
// was seen, or whose update had returned, before its read.
func TestReadersNeverGoBackInTime(t *testing.T) {
	t.Parallel()
	s, err := Open(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c := &counters{store: s}
	const writers, each = 3, 3000
	var writing, reading sync.WaitGroup
	for w := range writers {
		writing.Go(func() {
			for n := range each {
				if err := c.add((n + w) % len(c.lowest)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	var done atomic.Bool
	for range 3 {
		reading.Go(func() {
			for n := 0; !done.Load(); n++ {
				c.read(t, n%len(c.lowest))
			}
		})
	}
	writing.Wait()
	done.Store(true)
	reading.Wait()
	for i := range c.lowest {
		if got := c.lowest[i].Load(); got != uint64(writers*each/len(c.lowest)) {
			t.Errorf("key %d was counted to %d", i, got)
		}
	}
}

// raise makes the number at least n.
func raise(number *atomic.Uint64, n uint64) {
	for {
		now := number.Load()
		if now >= n || number.CompareAndSwap(now, n) {
			return
		}
	}
}
