package script

import (
	"context"
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dop251/goja"
)

// watchdog interrupts a script that takes too long or too much. It looks every tick, on a goroutine of its own, which ends
// with close.
type watchdog struct {
	rt      *goja.Runtime
	budget  time.Duration
	growth  uint64
	born    time.Time
	since   atomic.Int64 // when the script began to run, after born, + 1; 0: it does not run
	spent   atomic.Int64 // what it ran before
	stopped atomic.Bool  // it was interrupted
	done    chan struct{}
	ended   sync.WaitGroup
}

const tick = 5 * time.Millisecond

func watch(ctx context.Context, rt *goja.Runtime, budget time.Duration, growth uint64) *watchdog {
	w := &watchdog{rt: rt, budget: budget, growth: growth, born: time.Now(), done: make(chan struct{})}
	w.ended.Go(func() { w.run(ctx) })
	return w
}

// begin and end say when the script runs.
func (w *watchdog) begin() { w.since.Store(int64(time.Since(w.born)) + 1) }

func (w *watchdog) end() {
	w.spent.Add(int64(time.Since(w.born)) + 1 - w.since.Swap(0))
}

// elapsed is how long the script has run.
func (w *watchdog) elapsed() time.Duration {
	spent := w.spent.Load()
	if since := w.since.Load(); since != 0 {
		spent += int64(time.Since(w.born)) + 1 - since
	}
	return time.Duration(spent)
}

func (w *watchdog) close() {
	close(w.done)
	w.ended.Wait()
}

func (w *watchdog) run(ctx context.Context) {
	heap := heapWatch{most: heapSize() + w.growth, growth: w.growth}
	heap.suspect = heap.most
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for {
		select {
		case <-w.done:
			return
		case <-ctx.Done():
			w.interrupt(context.Cause(ctx))
			return
		case <-ticker.C:
		}
		switch {
		case w.since.Load() == 0:
		case w.elapsed() > w.budget:
			w.interrupt(errTime)
		case heap.grown():
			w.interrupt(errMemory)
		}
	}
}

func (w *watchdog) interrupt(why error) {
	w.stopped.Store(true)
	w.rt.Interrupt(why)
}

// heapWatch tells whether the live heap has grown too much. It is the whole process's, for nothing counts a script's own; so
// garbage of others is collected before a script is blamed.
type heapWatch struct{ most, growth, suspect uint64 }

func (h *heapWatch) grown() bool {
	if heapSize() <= h.suspect {
		return false
	}
	runtime.GC()
	live := heapSize()
	h.suspect = live + h.growth
	return live > h.most
}

func heapSize() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
