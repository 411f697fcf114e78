package budget

import "sync/atomic"

// Pool is what the requests of a process share: the memory that they may hold together, in bytes, and the turns of those that work
// long. It is safe for concurrent use. Nobody waits for memory: what does not fit is refused, and the client tries again.
type Pool struct {
	turns turns // of long requests
	limit int64
	used  atomic.Int64
	most  atomic.Int64
	shed  atomic.Int64
}

// DefaultPool is the size of a process's pool in bytes unless its configuration says otherwise: 1 GiB.
const DefaultPool = 1 << 30

// NewPool returns a pool of so many bytes.
func NewPool(bytes int64) *Pool { return &Pool{turns: newTurns(), limit: bytes} }

// Take reserves n bytes and reports whether they were free. Whoever took them calls Return with the same number.
func (p *Pool) Take(n int64) bool {
	if p == nil || n <= 0 {
		return true
	}
	used := p.used.Add(n)
	if used > p.limit {
		p.used.Add(-n)
		p.shed.Add(1)
		return false
	}
	for most := p.most.Load(); used > most && !p.most.CompareAndSwap(most, used); {
		most = p.most.Load()
	}
	return true
}

// Return gives n bytes back.
func (p *Pool) Return(n int64) {
	if p != nil && n > 0 {
		p.used.Add(-n)
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
