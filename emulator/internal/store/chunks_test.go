package store

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestAnIdleStoreGivesItsSpareMemoryBack frees many chunks at once, as a compaction does: they are kept while chunks
// are taken, and few are left when none was taken for a while. It moves the clock.
func TestAnIdleStoreGivesItsSpareMemoryBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var p chunkPool
		defer p.release()
		var chunks [][]byte
		for range 2 * idleChunks {
			chunk, err := p.get()
			if err != nil {
				t.Fatal(err)
			}
			chunks = append(chunks, chunk)
		}
		left := func() int {
			p.mu.Lock()
			defer p.mu.Unlock()
			return len(p.spare)
		}
		p.put(chunks)
		for range 4 {
			chunk, err := p.get()
			if err != nil {
				t.Fatal(err)
			}
			p.put([][]byte{chunk})
			<-time.After(chunksIdle - 1)
			synctest.Wait()
			if n := left(); n != len(chunks) {
				t.Fatalf("%d spare chunks while the store is in use, want %d", n, len(chunks))
			}
		}
		<-time.After(2 * chunksIdle)
		synctest.Wait()
		if n := left(); n != idleChunks {
			t.Errorf("%d spare chunks in an idle store, want %d", n, idleChunks)
		}
	})
}

// TestChunksBeyondTheLimitAreFreed frees more chunks than a store keeps.
func TestChunksBeyondTheLimitAreFreed(t *testing.T) {
	t.Parallel()
	var p chunkPool
	defer p.release()
	var chunks [][]byte
	for range spareChunks + 3 {
		chunk, err := p.get()
		if err != nil {
			t.Fatal(err)
		}
		chunks = append(chunks, chunk)
	}
	p.put(chunks)
	if n := len(p.spare); n != spareChunks {
		t.Errorf("%d chunks are kept, want %d", n, spareChunks)
	}
}
