// Package recount counts what a store holds when the counts, which are kept in memory and saved when a service is
// closed, were lost by a crash. A small folder is counted before it opens. A large one is counted while requests are
// served, so that it opens as fast as a small one: on a snapshot from before the first request, in half of one
// processor's time. Until then the counts, to which requests add what they change, are too low.
package recount

import (
	"errors"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/panics"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// What is counted before Start returns. It takes about 0.05 s. Where the bounds are is fixed, and not a time, so that
// small folders have exact counts on a busy machine too.
const (
	firstItems = 20_000
	firstBytes = 16 << 20
)

// After each step the counting rests as long as the step took, at most maxRest: a longer step waited for the disk.
const (
	stepBytes = 1 << 20
	maxRest   = 100 * time.Millisecond
)

// errStopped ends the counting.
var errStopped = errors.New("counting was stopped")

// Run is counting in progress. A nil Run has ended.
type Run struct {
	ready   chan struct{} // closed when Start may return
	stopped chan struct{} // closed by Stop
	done    chan struct{} // closed when the counting has ended
	stop    sync.Once
	inStart bool // whether Start still waits; used by the counting goroutine

	wait         bool // until everything is counted
	items, bytes int  // counted so far
	step         int  // bytes since the last rest
	stepBegan    time.Time
	err          error // set before done is closed
}

// Start counts with count, which reads a snapshot of the store and calls the function that it is given after each item
// with the item's size in bytes, and returns its errors. Start returns when everything is counted or, if the store is
// in a folder, enough to leave the rest for later; later errors are passed to failed. No request may run before Start
// returns. The caller must call Stop before it closes the store.
func Start(s *store.Store, count func(r *store.Reader, counted func(bytes int) error) error,
	failed func(error)) (*Run, error) {
	r := &Run{ready: make(chan struct{}), stopped: make(chan struct{}), done: make(chan struct{}), inStart: true,
		wait: !s.OnDisk()}
	go func() {
		defer close(r.done)
		err := panics.AsError("the counting", func() error { // nobody else could recover from it
			return s.View(func(reader *store.Reader) error { return count(reader, r.counted) })
		})
		switch {
		case r.inStart:
			r.err = err
		case err != nil && !errors.Is(err, errStopped) && !errors.Is(err, store.ErrClosed):
			failed(err)
		}
	}()
	select {
	case <-r.ready:
		return r, nil
	case <-r.done:
		return r, r.err
	}
}

// Stop ends the counting and waits for its end. What is not counted yet stays so.
func (r *Run) Stop() {
	if r == nil {
		return
	}
	r.stop.Do(func() { close(r.stopped) })
	<-r.done
}

// Wait waits until everything is counted, or Stop was called.
func (r *Run) Wait() {
	if r != nil {
		<-r.done
	}
}

// counted notes an item. Errors: errStopped.
func (r *Run) counted(bytes int) error {
	r.items, r.bytes, r.step = r.items+1, r.bytes+bytes, r.step+bytes
	if r.inStart {
		if r.wait || r.items < firstItems && r.bytes < firstBytes {
			return nil
		}
		r.inStart, r.stepBegan, r.step = false, time.Now(), 0
		close(r.ready)
	}
	if r.step < stepBytes {
		return nil
	}
	rest := time.NewTimer(min(time.Since(r.stepBegan), maxRest))
	defer rest.Stop()
	select {
	case <-rest.C:
	case <-r.stopped:
		return errStopped
	}
	r.step, r.stepBegan = 0, time.Now()
	return nil
}
