package store

import (
	"encoding/binary"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
)

// TestReadersNeverGoBackInTime has writers count keys up while readers read them, by
// themselves and in snapshots: no reader ever sees a smaller number than one that was committed before it asked.
func TestReadersNeverGoBackInTime(t *testing.T) {
	t.Parallel()
	s, err := Open(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	const keys, writers, each = 5, 3, 3000
	var committed [keys]atomic.Uint64
	key := func(i int) []byte { return fmt.Appendf(nil, "key-%d", i) }
	number := func(value []byte) uint64 {
		if value == nil {
			return 0
		}
		return binary.BigEndian.Uint64(value)
	}
	var writing, reading sync.WaitGroup
	for w := range writers {
		writing.Go(func() {
			for n := range each {
				i := (n + w) % keys
				var next uint64
				err := s.Update(Latch(key(i)), func(tx *Tx) error {
					value, _, err := tx.Get(key(i))
					if err != nil {
						return err
					}
					next = number(value) + 1
					return tx.Set(key(i), binary.BigEndian.AppendUint64(nil, next))
				})
				if err != nil {
					t.Error(err)
					return
				}
				raise(&committed[i], next)
			}
		})
	}
	var done atomic.Bool
	for range 3 {
		reading.Go(func() {
			for n := 0; !done.Load(); n++ {
				i := n % keys
				least := committed[i].Load()
				_ = s.Get(key(i), func(value []byte, _ bool) error {
					if got := number(value); got < least {
						t.Errorf("Get sees %d after %d", got, least)
					}
					raise(&committed[i], number(value))
					return nil
				})
				least = committed[i].Load()
				_ = s.View(func(r *Reader) error {
					value, _, err := r.Get(key(i))
					if got := number(value); got < least {
						t.Errorf("View sees %d after %d", got, least)
					}
					raise(&committed[i], number(value))
					return err
				})
			}
		})
	}
	writing.Wait()
	done.Store(true)
	reading.Wait()
	for i := range keys {
		if got := committed[i].Load(); got != writers*each/keys {
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
