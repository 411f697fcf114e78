package budget

import (
	"container/list"
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Pool is the resources that the requests of a process share: turns for long requests, and memory in bytes for bodies,
// intermediate results, and answers until clients have read them. Large requests are refused while there is still
// memory for small ones, so that they do not block small ones. It is safe for concurrent use. A nil Pool has no limits.
type Pool struct {
	turns   turns         // of long requests
	pacing  chan struct{} // has an element while a step of Pace runs or rests
	limit   int64
	used    atomic.Int64
	peak    atomic.Int64
	refused atomic.Int64
	waiting atomic.Int32 // entries of queue

	mu    sync.Mutex
	queue list.List // of *waiter, in the order of arrival
}

// DefaultPool is the default size of a process's pool in bytes: 1 GiB.
const DefaultPool = 1 << 30

// The largest sizes in bytes of a small and a medium request: see Pool.bound.
const (
	smallRequest  = 64 << 10
	mediumRequest = 4 << 20
)

// NewPool returns a pool of that many bytes.
func NewPool(bytes int64) *Pool {
	return &Pool{turns: newTurns(), pacing: make(chan struct{}, 1), limit: bytes}
}

// Size returns how many bytes the pool has; 0 means no limit.
func (p *Pool) Size() int64 {
	if p == nil {
		return 0
	}
	return p.limit
}

// bound returns how many bytes may be in use in all for a request that holds total bytes to be admitted.
func (p *Pool) bound(total int64) int64 {
	switch {
	case total <= smallRequest:
		return p.limit
	case total <= mediumRequest:
		return p.limit / 4 * 3
	}
	return p.limit / 2
}

// Take reserves n bytes for a request that then holds total bytes, and reports whether they were free. The caller must
// Return as many.
func (p *Pool) Take(n, total int64) bool {
	if p == nil || n <= 0 || p.tryTake(n, total) {
		return true
	}
	p.refused.Add(1)
	return false
}

// tryTake is Take without counting refusals.
func (p *Pool) tryTake(n, total int64) bool {
	bound := p.bound(total)
	for {
		used := p.used.Load()
		if used+n > bound {
			return false
		}
		if p.used.CompareAndSwap(used, used+n) {
			p.notePeak(used + n)
			return true
		}
	}
}

// fits reports whether n bytes are free for a request that then holds total bytes.
func (p *Pool) fits(n, total int64) bool {
	return p == nil || n <= 0 || p.used.Load()+n <= p.bound(total)
}

// force takes n bytes even if they are not free.
func (p *Pool) force(n int64) {
	if p != nil {
		p.notePeak(p.used.Add(n))
	}
}

func (p *Pool) notePeak(used int64) {
	for most := p.peak.Load(); used > most && !p.peak.CompareAndSwap(most, used); {
		most = p.peak.Load()
	}
}

// Return returns n bytes, and admits requests that wait for them.
func (p *Pool) Return(n int64) {
	if p == nil || n <= 0 {
		return
	}
	p.used.Add(-n)
	if p.waiting.Load() > 0 {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.admit()
	}
}

// Used returns how many bytes are in use.
func (p *Pool) Used() int64 {
	if p == nil {
		return 0
	}
	return p.used.Load()
}

// Peak returns the largest number of bytes that were in use at once.
func (p *Pool) Peak() int64 {
	if p == nil {
		return 0
	}
	return p.peak.Load()
}

// Refused returns how often bytes were refused.
func (p *Pool) Refused() int64 {
	if p == nil {
		return 0
	}
	return p.refused.Load()
}

// Waiting returns how many requests wait for bytes.
func (p *Pool) Waiting() int {
	if p == nil {
		return 0
	}
	return int(p.waiting.Load())
}

// Turns returns how many long requests have a turn.
func (p *Pool) Turns() int {
	if p == nil {
		return 0
	}
	return len(p.turns)
}

// Pacing reports whether a paced step runs, or rests.
func (p *Pool) Pacing() bool { return p != nil && len(p.pacing) > 0 }

// WaitPolicy is how a request waits for memory.
type WaitPolicy struct {
	MaxWait    time.Duration       // longest wait; 0: none
	Interval   time.Duration       // between two calls of Pressed
	OnPressure func(now time.Time) // called while the request waits, to free memory; may be nil
}

// waiter is a request that waits for bytes.
type waiter struct {
	n, total int64
	admitted chan struct{}
}

// admit admits waiting requests. Small ones pass large ones for which there is no memory. mu must be held.
func (p *Pool) admit() {
	for e := p.queue.Front(); e != nil; {
		next, w := e.Next(), e.Value.(*waiter)
		if p.tryTake(w.n, w.total) {
			p.queue.Remove(e)
			p.waiting.Add(-1)
			close(w.admitted)
		}
		e = next
	}
}

// wait is Take that waits for the bytes as long as policy and ctx allow. Errors: ErrBusy, and the cause of ctx.
func (p *Pool) wait(ctx context.Context, n, total int64, policy *WaitPolicy) error {
	if p == nil || n <= 0 || p.tryTake(n, total) {
		return nil
	}
	if policy == nil || policy.MaxWait <= 0 {
		p.refused.Add(1)
		return ErrBusy
	}
	p.mu.Lock()
	w := &waiter{n: n, total: total, admitted: make(chan struct{})}
	place := p.queue.PushBack(w)
	p.waiting.Add(1)
	p.admit() // bytes may have been freed before this request was in the queue
	p.mu.Unlock()
	err := policy.await(ctx, w)
	if err == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-w.admitted: // admitted at the last moment
		return nil
	default:
		p.queue.Remove(place)
		p.waiting.Add(-1)
		p.refused.Add(1)
		return err
	}
}

// await waits until w is admitted.
func (l *WaitPolicy) await(ctx context.Context, w *waiter) error {
	end := time.NewTimer(l.MaxWait)
	defer end.Stop()
	look := time.NewTicker(max(l.Interval, time.Millisecond))
	defer look.Stop()
	for {
		select {
		case <-w.admitted:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-end.C:
			return ErrBusy
		case now := <-look.C:
			if l.OnPressure != nil {
				l.OnPressure(now)
			}
		}
	}
}
