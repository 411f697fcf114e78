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
	// idleChunks is how many it keeps when nothing is written: 4 MB, one table.
	idleChunks = 32
	// chunkTick is how often the pool looks whether chunks were taken. If muchUse were, further ones are freed when
	// idleTicks have passed without. What a burst of writes leaves, the next one needs: it is kept for keptAfterBurst.
	chunkTick      = 200 * time.Millisecond
	idleTicks      = 2
	muchUse        = 384 // chunks: 48 MB
	keptAfterBurst = 5 * time.Second
)

type chunkPool struct {
	mu     sync.Mutex
	spare  [][]byte
	taken  int         // chunks, since the last tick
	used   int         // chunks, since the pool was idle
	unused int         // ticks since a chunk was taken
	ticks  *time.Timer // set while there are more than idleChunks; otherwise nil
}

func (p *chunkPool) get() ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken++
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
	if p.ticks == nil && len(p.spare) > idleChunks {
		p.ticks = time.AfterFunc(chunkTick, p.tick)
	}
}

// tick frees spare chunks if none was taken for a while.
func (p *chunkPool) tick() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ticks == nil { // released
		return
	}
	if p.taken > 0 {
		p.used += p.taken
		p.taken, p.unused = 0, 0
		p.ticks.Reset(chunkTick)
		return
	}
	p.unused++
	switch {
	case p.unused < idleTicks:
		p.ticks.Reset(chunkTick)
	case p.unused == idleTicks && p.used < muchUse:
		p.used = 0
		p.ticks.Reset(keptAfterBurst)
	default:
		p.keep(idleChunks)
		p.used, p.unused, p.ticks = 0, 0, nil
	}
}

// release frees all spare chunks.
func (p *chunkPool) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ticks != nil {
		p.ticks.Stop()
		p.ticks = nil
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
