package store

import (
	"sync"
	"time"
)

// chunkSize is the unit of memory of sorted tables. A table wastes half of one on average: 1.5% of 4 MB.
const chunkSize = 128 << 10

// A compaction frees the memory of the tables that it has read all at once, and the next one needs as much again.
const (
	// spareChunks is how many freed chunks a store keeps while it is in use: 64 MB, what the largest compactions of a
	// few hundred megabytes free. To map memory anew took a tenth of a BatchWriteItem's CPU time.
	spareChunks = 512
	// idleChunks is how many it keeps while nothing is written: 4 MB, one table.
	idleChunks = 32
	// chunksIdle is how long no chunk was taken then.
	chunksIdle = 500 * time.Millisecond
)

type chunkPool struct {
	mu    sync.Mutex
	spare [][]byte
	taken bool        // since the timer was set
	idle  *time.Timer // set while there are more than idleChunks; otherwise nil
}

func (p *chunkPool) get() ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken = true
	if n := len(p.spare); n > 0 {
		chunk := p.spare[n-1]
		p.spare = p.spare[:n-1]
		return chunk, nil
	}
	return newChunk()
}

func (p *chunkPool) put(chunks [][]byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	keep := min(len(chunks), spareChunks-len(p.spare))
	p.spare = append(p.spare, chunks[:keep]...)
	for _, chunk := range chunks[keep:] {
		freeChunk(chunk)
	}
	if p.idle == nil && len(p.spare) > idleChunks {
		p.taken = false
		p.idle = time.AfterFunc(chunksIdle, p.trim)
	}
}

// trim frees spare chunks if none was taken since the timer was set, and sets it again otherwise.
func (p *chunkPool) trim() {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.idle == nil: // released
	case p.taken:
		p.taken = false
		p.idle.Reset(chunksIdle)
	default:
		p.keep(idleChunks)
		p.idle = nil
	}
}

// release frees all spare chunks.
func (p *chunkPool) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.idle != nil {
		p.idle.Stop()
		p.idle = nil
	}
	p.keep(0)
}

// keep frees all spare chunks but n. p.mu must be held.
func (p *chunkPool) keep(n int) {
	for len(p.spare) > n {
		last := len(p.spare) - 1
		freeChunk(p.spare[last])
		p.spare = p.spare[:last]
	}
}
