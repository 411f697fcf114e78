package store

import "sync"

// chunkSize is the unit of memory of sorted tables. A table wastes half of one on average: 1.5% of 4 MB.
const chunkSize = 128 << 10

// spareChunks is how many freed chunks a store keeps for the next table, so that a compaction writes to memory that is
// already mapped: 4 MB, one table.
const spareChunks = 32

type chunkPool struct {
	mu    sync.Mutex
	spare [][]byte
}

func (p *chunkPool) get() ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
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
	for _, chunk := range chunks {
		if len(p.spare) < spareChunks {
			p.spare = append(p.spare, chunk)
		} else {
			freeChunk(chunk)
		}
	}
}

func (p *chunkPool) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, chunk := range p.spare {
		freeChunk(chunk)
	}
	p.spare = nil
}
