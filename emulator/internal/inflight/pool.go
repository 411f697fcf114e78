// Package inflight bounds the memory that requests and answers under way hold, and ends the connections of clients that
// do not take their answers.
//
// A [Pool] counts the bytes of one emulator's buffers: bodies as they come, answers until their clients have taken them.
// Where there are too many, a request waits briefly and is then refused by its service as a throttled one. Large requests
// are refused while there is still memory for small ones, so that whoever asks for much does not shut out who asks for
// little. While requests wait, a client that has taken nothing of its answer for a while is disconnected.
package inflight

import (
	"container/list"
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// ErrBusy means that the requests under way hold as many bytes as they may, and that waiting did not help. Services answer
// it as they answer throttled requests.
var ErrBusy = errors.New("the requests under way hold all the memory that they may")

// Limits are the bounds of a [Pool] and of the answers counted by it. Fields that are zero take the defaults.
type Limits struct {
	Bytes    int64         // of all buffers; 512 MiB by default
	Patience time.Duration // a request waits for memory at most; 3 s by default
	Pressed  time.Duration // an answer makes no progress before it is ended, while others wait; 2 s by default
	Stall    time.Duration // an answer makes no progress before it is ended in any case; 1 min by default
}

func (l Limits) withDefaults() Limits {
	set := func(d *time.Duration, value time.Duration) {
		if *d == 0 {
			*d = value
		}
	}
	if l.Bytes == 0 {
		l.Bytes = 512 << 20
	}
	set(&l.Patience, 3*time.Second)
	set(&l.Pressed, 2*time.Second)
	set(&l.Stall, time.Minute)
	return l
}

// The sizes in bytes up to which a request is small, and medium: see Pool.bound.
const (
	small  = 64 << 10
	medium = 4 << 20
)

// Pool counts the bytes that requests and answers under way hold. It is safe for concurrent use.
type Pool struct {
	limits  Limits
	held    atomic.Int64
	waiting atomic.Int32 // entries of queue
	answers answers

	mu    sync.Mutex
	queue list.List // of *waiter, who came first first
}

// New returns an empty pool.
func New(l Limits) *Pool { return &Pool{limits: l.withDefaults()} }

// Held returns how many bytes are held.
func (p *Pool) Held() int64 { return p.held.Load() }

// Waiting returns how many requests wait for bytes.
func (p *Pool) Waiting() int { return int(p.waiting.Load()) }

// bound is how many bytes may be held in all for a request that holds n to be let in.
func (p *Pool) bound(n int64) int64 {
	switch {
	case n <= small:
		return p.limits.Bytes
	case n <= medium:
		return p.limits.Bytes / 4 * 3
	}
	return p.limits.Bytes / 2
}

// try takes more bytes for a request that will hold total then, if there are so many.
func (p *Pool) try(more, total int64) bool {
	bound := p.bound(total)
	for {
		held := p.held.Load()
		if held+more > bound {
			return false
		}
		if p.held.CompareAndSwap(held, held+more) {
			return true
		}
	}
}

// free gives bytes back and lets in those who wait for them.
func (p *Pool) free(n int64) {
	p.held.Add(-n)
	if p.waiting.Load() > 0 {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.admit()
	}
}

// waiter is a request that waits for bytes.
type waiter struct {
	more, total int64
	admitted    chan struct{}
}

// admit lets in who waits. Small requests pass large ones that there is no memory for. mu must be held.
func (p *Pool) admit() {
	for e := p.queue.Front(); e != nil; {
		next, w := e.Next(), e.Value.(*waiter)
		if p.try(w.more, w.total) {
			p.queue.Remove(e)
			p.waiting.Add(-1)
			close(w.admitted)
		}
		e = next
	}
}

// take takes more bytes for a request that will hold total then, and waits for them as long as the limits and ctx allow.
// Errors: ErrBusy, and the cause of ctx's end.
func (p *Pool) take(ctx context.Context, more, total int64) error {
	if p.try(more, total) {
		return nil
	}
	p.mu.Lock()
	w := &waiter{more: more, total: total, admitted: make(chan struct{})}
	place := p.queue.PushBack(w)
	p.waiting.Add(1)
	p.admit() // what was freed before waiting was counted
	p.mu.Unlock()
	err := p.await(ctx, w)
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
		return err
	}
}

// await waits until w is let in, and ends the answers that make no progress meanwhile.
func (p *Pool) await(ctx context.Context, w *waiter) error {
	end := time.NewTimer(p.limits.Patience)
	defer end.Stop()
	look := time.NewTicker(max(p.limits.Pressed/8, time.Millisecond))
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
			p.answers.endStalled(now.Add(-p.limits.Pressed))
		}
	}
}
