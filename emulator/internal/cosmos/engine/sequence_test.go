package engine

import (
	"runtime"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// TestNumbersAreAssignedWhileABlockIsReserved checks that a transaction that holds latches can take numbers while
// another waits for these latches to write the end of the next block. Otherwise they deadlock.
func TestNumbersAreAssignedWhileABlockIsReserved(t *testing.T) {
	t.Parallel()
	s, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	q, err := openSequence(s, 1)
	if err != nil {
		t.Fatal(err)
	}
	q.reservedEnd = q.nextLSN + 1 // the block is nearly used up
	reserved := make(chan error, 1)
	err = s.Update(store.Latches{}, func(*store.Tx) error {
		go func() { reserved <- q.reserve() }()
		for q.saveMu.TryLock() { // until the other goroutine is about to wait for the latches
			q.saveMu.Unlock()
			runtime.Gosched()
		}
		first, _, err := q.assign(1, 1, nil)
		q.done(first)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-reserved; err != nil {
		t.Fatal(err)
	}
	if _, _, err := q.assign(1, headroom, nil); err != nil {
		t.Errorf("after the reservation: %v", err)
	}
}
