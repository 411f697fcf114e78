package emulator

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
)

// The liveness suite sends hostile requests, one kind after the other, while canaries read and write beside them: on the other
// cloud, on another table, and on the same table. It asserts that each canary's request succeeds and none is stuck, that
// memory and goroutines return, and that closing ends in time.
//
//	TABLETOP_LIVENESS=all      every case, for seconds each
//	TABLETOP_LIVENESS=measure  likewise, and the canaries' 99th percentile is held to 50 ms: for a machine with nothing else to do
const livenessVariable = "TABLETOP_LIVENESS"

// The bounds of the suite.
const (
	stuckAfter    = 30 * time.Second      // of one request of a canary, on a machine that is busy with other tests
	quietP99      = 50 * time.Millisecond // of a canary's requests, when measured
	returnTimeout = 30 * time.Second      // for memory and goroutines
	heapSlack     = 192 << 20             // bytes of heap that may stay: memtables, caches, pools
	routineSlack  = 64
)

// TestHostileRequestsHarmNobody runs each case of hostileCases, with canaries beside it.
func TestHostileRequestsHarmNobody(t *testing.T) {
	mode := os.Getenv(livenessVariable)
	lasts := 150 * time.Millisecond
	if mode != "" {
		lasts = 3 * time.Second
	}
	for _, c := range hostileCases() {
		if c.long && mode == "" {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			a := newArena(t)
			if c.prepare != nil {
				c.prepare(a)
			}
			heap, routines := heapInUse(), runtime.NumGoroutine()
			ctx, cancel := context.WithTimeout(t.Context(), lasts)
			defer cancel()
			canaries := a.release(ctx)
			a.assault(ctx, c)
			for _, canary := range canaries {
				canary.judge(a, mode == "measure")
			}
			a.answered(c)
			a.client.CloseIdleConnections()
			a.within("the heap returns", func() bool { return heapInUse() < heap+heapSlack })
			a.within("goroutines return", func() bool { return runtime.NumGoroutine() < routines+routineSlack })
			a.within("requests give their memory back", func() bool { return a.e.memory.Held() == 0 })
			a.verdict(c)
		})
	}
}

// verdict fails the test for what was wrong; of a case that is known to fail, for nothing having been wrong.
func (a *arena) verdict(c hostileCase) {
	a.t.Helper()
	for _, problem := range a.problems {
		if c.fails == "" {
			a.t.Error(problem)
		} else {
			a.t.Logf("as expected (%s): %s", c.fails, problem)
		}
	}
	if c.fails != "" && len(a.problems) == 0 {
		a.t.Errorf("it passes now, and was expected to fail (%s): take that away", c.fails)
	}
}

// problemf notes what is wrong.
func (a *arena) problemf(format string, args ...any) {
	a.problems = append(a.problems, fmt.Sprintf(format, args...))
}

// within waits until a condition holds.
func (a *arena) within(what string, holds func() bool) {
	for end := time.Now().Add(returnTimeout); !holds(); runtime.Gosched() {
		if time.Now().After(end) {
			a.problemf("%s: not within %v (heap %d MB, %d goroutines)", what, returnTimeout, heapInUse()>>20, runtime.NumGoroutine())
			return
		}
	}
}

func heapInUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse
}

// canary asks again and again for something that has nothing to do with a hostile request.
type canary struct {
	name  string
	ask   func(context.Context) error
	ended chan struct{}
	took  []time.Duration
	errs  []error
}

// release has the canaries sing until ctx ends, and at least once.
func (a *arena) release(ctx context.Context) []*canary {
	all := []*canary{
		{name: "the other cloud", ask: a.cosmosRoundTrip},
		{name: "another table", ask: func(ctx context.Context) error { return a.roundTrip(ctx, "canary") }},
		{name: "the same table", ask: func(ctx context.Context) error { return a.roundTrip(ctx, "victim") }},
	}
	for _, c := range all {
		c.ended = make(chan struct{})
		go c.sing(ctx)
	}
	return all
}

func (c *canary) sing(ctx context.Context) {
	defer close(c.ended)
	for first := true; first || ctx.Err() == nil; first = false {
		began := time.Now()
		one, cancel := context.WithTimeout(context.WithoutCancel(ctx), stuckAfter)
		err := c.ask(one)
		cancel()
		c.took = append(c.took, time.Since(began))
		if err != nil {
			c.errs = append(c.errs, err)
		}
	}
}

// judge holds a canary to its bounds once it has ended.
func (c *canary) judge(a *arena, measured bool) {
	a.t.Helper()
	<-c.ended
	if len(c.errs) > 0 {
		a.problemf("%s: %d of %d requests failed: %v", c.name, len(c.errs), len(c.took), c.errs[0])
	}
	slices.Sort(c.took)
	p99 := c.took[len(c.took)*99/100]
	a.t.Logf("%s: %d requests, p50 %v, p99 %v, worst %v", c.name, len(c.took), c.took[len(c.took)/2], p99, c.took[len(c.took)-1])
	if measured && p99 > quietP99 {
		a.problemf("%s: p99 %v, want %v at most", c.name, p99, quietP99)
	}
}

// hostileCase is one kind of hostile request.
type hostileCase struct {
	name    string
	long    bool   // too long for the unit suite
	fails   string // why it is known to fail; empty: it passes
	clients int    // that send it at a time
	prepare func(*arena)
	send    func(context.Context, *arena) (status int, err error) // one request; 0: its connection was left
}

// assault sends a case's requests until ctx ends, and each client at least one. They end with their context.
func (a *arena) assault(ctx context.Context, c hostileCase) {
	var clients sync.WaitGroup
	for range c.clients {
		clients.Go(func() {
			for first := true; first || ctx.Err() == nil; first = false {
				one, cancel := context.WithTimeout(context.WithoutCancel(ctx), stuckAfter)
				status, err := c.send(one, a)
				cancel()
				a.count(status, err)
			}
		})
	}
	clients.Wait()
}

// count notes how a hostile request ended.
func (a *arena) count(status int, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.statuses[status]++
	if errors.Is(err, context.DeadlineExceeded) {
		a.stuck++
	}
}

// answered holds the hostile requests to their own end: none is stuck, none is a fault of the emulator.
func (a *arena) answered(c hostileCase) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.t.Logf("%s: %d clients, requests by status: %v", c.name, c.clients, a.statuses)
	if a.stuck > 0 {
		a.problemf("%d requests did not end within %v", a.stuck, stuckAfter)
	}
	if n := a.statuses[http.StatusInternalServerError]; n > 0 {
		a.problemf("%d requests were answered as faults of the emulator", n)
	}
}
