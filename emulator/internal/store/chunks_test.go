package store

import (
	"testing"
	"testing/synctest"
	"time"
)

// spareAfter returns how many spare chunks there are after a pool was used for some ticks, as by compactions, and idle
// for a time. It moves the clock.
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
		take(2 * idleChunks)
		for range ticks {
			take(1)
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

// TestAnIdleStoreGivesItsSpareMemoryBack uses a pool for a long time and for a short one.
func TestAnIdleStoreGivesItsSpareMemoryBack(t *testing.T) {
	t.Parallel()
	const most, few = 2 * idleChunks, idleChunks
	for _, c := range []struct {
		ticks int
		idle  time.Duration
		want  int
	}{
		{longUse + 3, 0, most},
		{longUse + 3, chunkTick / 2, most},
		{longUse + 3, (idleTicks + 1) * chunkTick, few},
		{1, (idleTicks + 1) * chunkTick, most},
		{1, keptAfterBurst, most},
		{1, keptAfterBurst + (idleTicks+1)*chunkTick, few},
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
