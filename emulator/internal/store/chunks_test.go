package store

import (
	"testing"
	"testing/synctest"
	"time"
)

// spareAfter returns how many spare chunks there are after a compaction that takes many chunks in each of some ticks,
// and a time without any. It moves the clock.
func spareAfter(t *testing.T, ticks int, idle time.Duration) (spare int) {
	synctest.Test(t, func(t *testing.T) {
		var p chunkPool
		defer p.release()
		take := func(n int) {
			var chunks [][]byte
			for range n {
				chunk, err := p.get()
				if err != nil {
					t.Fatal(err)
				}
				chunks = append(chunks, chunk)
			}
			p.put(chunks)
		}
		for range ticks {
			take(2 * idleChunks)
			<-time.After(chunkTick)
		}
		<-time.After(idle)
		synctest.Wait()
		p.mu.Lock()
		defer p.mu.Unlock()
		spare = len(p.spare)
	})
	return spare
}

// TestAnIdleStoreGivesItsSpareMemoryBack takes many chunks, and few.
func TestAnIdleStoreGivesItsSpareMemoryBack(t *testing.T) {
	t.Parallel()
	const most, few, long = 2 * idleChunks, idleChunks, muchUse/(2*idleChunks) + 1
	for _, c := range []struct {
		ticks int
		idle  time.Duration
		want  int
	}{
		{long, 0, most},
		{long, chunkTick / 2, most},
		{long, (idleTicks + 1) * chunkTick, few},
		{2, (idleTicks + 1) * chunkTick, most},
		{2, keptAfterBurst, most},
		{2, keptAfterBurst + (idleTicks+1)*chunkTick, few},
	} {
		if spare := spareAfter(t, c.ticks, c.idle); spare != c.want {
			t.Errorf("%d spare chunks after %d ticks of use and %v without, want %d", spare, c.ticks, c.idle, c.want)
		}
	}
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
