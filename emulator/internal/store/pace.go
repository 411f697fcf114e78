package store

import (
	"sync"
	"time"
)

const (
	// restFactor is how many times as long as it took compactions rest after one, while requests are served and little
	// is written. A large folder that was filled quickly has minutes of compactions left over, each of which may keep a
	// processor busy. Reads gain less from a compaction than from that processor.
	restFactor = 4
	maxRest    = 5 * time.Second
	// afterFlush is how long after a flush compactions do not rest: they must keep up with what is written.
	afterFlush = 5 * time.Second
	// idleChecks is how many checks in a row, one each grantInterval, must find no operation for compactions not to rest.
	idleChecks = 5
)

// pace decides when compactions rest. Its methods are safe for concurrent use.
type pace struct {
	mu      sync.Mutex
	flushed time.Time // the end of the last flush
	resumes time.Time // the end of the rest after the last compaction
	idle    int       // checks in a row that found no operation
	retries time.Time // when a compaction may start after one that failed
}

// flushEnded notes the end of a flush.
func (p *pace) flushEnded() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.flushed = time.Now()
}

// compactionEnded notes the end of a compaction.
func (p *pace) compactionEnded(took time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if resumes := time.Now().Add(min(restFactor*took, maxRest)); resumes.After(p.resumes) {
		p.resumes = resumes
	}
}

// failed notes that a compaction has failed, and may succeed later. Pebble would try again at once.
func (p *pace) failed() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.retries = time.Now().Add(maxRest)
}

// checked notes whether a check found an operation.
func (p *pace) checked(busy bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.idle++; busy {
		p.idle = 0
	}
}

// rests reports whether no compaction should start now. If stalled is true, writers wait for one.
func (p *pace) rests(stalled bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if now.Before(p.retries) {
		return true
	}
	return !stalled && p.idle < idleChecks && now.Before(p.resumes) && now.Sub(p.flushed) >= afterFlush
}
