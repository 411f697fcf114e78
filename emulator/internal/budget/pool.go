package budget

import (
	"container/list"
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Pool is what the requests of a process share: the turns of those that work long, and the memory that they may hold
// together, in bytes: their bodies, what they make, and their answers until clients have taken them. Large requests are
// refused while there is still memory for small ones, so that whoever asks for much does not shut out who asks for
// little. It is safe for concurrent use. A nil Pool bounds nothing.
type Pool struct {
	turns   turns // of long requests
	limit   int64
	used    atomic.Int64
	most    atomic.Int64
	shed    atomic.Int64
	waiting atomic.Int32 // entries of queue

	mu    sync.Mutex
	queue list.List // of *waiter, who came first first
}

// DefaultPool is the size of a process's pool in bytes unless its configuration says otherwise: 1 GiB.
const DefaultPool = 1 << 30

// The sizes in bytes up to which a request is small, and medium: see Pool.bound.
const (
	smallRequest  = 64 << 10
	mediumRequest = 4 << 20
)

// NewPool returns a pool of so many bytes.
func NewPool(bytes int64) *Pool { return &Pool{turns: newTurns(), limit: bytes} }

// bound is how many bytes may be taken in all for a request that holds total to be let in.
func (p *Pool) bound(total int64) int64 {
	switch {
	case total <= smallRequest:
		return p.limit
	case total <= mediumRequest:
		return p.limit / 4 * 3
	}
	return p.limit / 2
}

// Take reserves n bytes for a request that holds total bytes then, and reports whether they were free. Whoever took
// them calls Return with the same number.
func (p *Pool) Take(n, total int64) bool {
	if p == nil || n <= 0 || p.try(n, total) {
		return true
	}
	p.shed.Add(1)
	return false
}

// try is Take, but for the count of refusals.
func (p *Pool) try(n, total int64) bool {
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

// force takes n bytes, whatever is free.
func (p *Pool) force(n int64) {
	if p != nil {
		p.notePeak(p.used.Add(n))
	}
}

func (p *Pool) notePeak(used int64) {
	for most := p.most.Load(); used > most && !p.most.CompareAndSwap(most, used); {
		most = p.most.Load()
	}
}

// Return gives n bytes back, and lets in those who wait for them.
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

// Used is how many bytes are taken now.
func (p *Pool) Used() int64 {
	if p == nil {
		return 0
	}
	return p.used.Load()
}

// Peak is how many bytes were taken at once at most.
func (p *Pool) Peak() int64 {
	if p == nil {
		return 0
	}
	return p.most.Load()
}

// Shed is how often bytes were refused.
func (p *Pool) Shed() int64 {
	if p == nil {
		return 0
	}
	return p.shed.Load()
}

// Waiting is how many requests wait for bytes.
func (p *Pool) Waiting() int {
	if p == nil {
		return 0
	}
	return int(p.waiting.Load())
}

// Patience is how a request waits for memory.
type Patience struct {
	Time    time.Duration       // at most; 0: not at all
	Every   time.Duration       // between two calls of Pressed
	Pressed func(now time.Time) // is called while the request waits, to free memory; nil: nothing is
}

// waiter is a request that waits for bytes.
type waiter struct {
	n, total int64
	admitted chan struct{}
}

// admit lets in who waits. Small requests pass large ones that there is no memory for. mu must be held.
func (p *Pool) admit() {
	for e := p.queue.Front(); e != nil; {
		next, w := e.Next(), e.Value.(*waiter)
		if p.try(w.n, w.total) {
			p.queue.Remove(e)
			p.waiting.Add(-1)
			close(w.admitted)
		}
		e = next
	}
}

// wait is Take that waits for the bytes as long as patience and ctx allow. Errors: ErrBusy, and the cause of ctx's end.
func (p *Pool) wait(ctx context.Context, n, total int64, patience *Patience) error {
	if p == nil || n <= 0 || p.try(n, total) {
		return nil
	}
	if patience == nil || patience.Time <= 0 {
		p.shed.Add(1)
		return ErrBusy
	}
	p.mu.Lock()
	w := &waiter{n: n, total: total, admitted: make(chan struct{})}
	place := p.queue.PushBack(w)
	p.waiting.Add(1)
	p.admit() // what was freed before waiting was counted
	p.mu.Unlock()
	err := patience.await(ctx, w)
	if err == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-w.admitted: // meanwhile
		return nil
	default:
		p.queue.Remove(place)
		p.waiting.Add(-1)
		p.shed.Add(1)
		return err
	}
}

// await waits until w is let in.
func (l *Patience) await(ctx context.Context, w *waiter) error {
	end := time.NewTimer(l.Time)
	defer end.Stop()
	look := time.NewTicker(max(l.Every, time.Millisecond))
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
			if l.Pressed != nil {
				l.Pressed(now)
			}
		}
	}
}
