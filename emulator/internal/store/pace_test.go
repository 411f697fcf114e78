package store

import (
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tabletop-db/tabletop/internal/testutil/schedule"
)

// TestCompactionsRestOnlyWhileRequestsAreServedAndLittleIsWritten ends compactions in each state of a store: they rest
// only while there are requests and no flush was lately, and never longer than maxRest.
func TestCompactionsRestOnlyWhileRequestsAreServedAndLittleIsWritten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var p pace
		check := func(what string, rests bool) {
			t.Helper()
			if p.rests(false) != rests {
				t.Errorf("%s: rests is %v", what, !rests)
			}
		}
		check("a folder that was opened", false)
		p.compactionEnded(time.Second)
		p.checked(true)
		check("after a compaction, with requests", true)
		schedule.Advance(restFactor*time.Second - 1)
		check("almost rested", true)
		schedule.Advance(1)
		check("rested", false)

		p.compactionEnded(time.Hour)
		p.compactionEnded(0) // such as one that only drops tables
		schedule.Advance(maxRest - 1)
		check("after a long compaction", true)
		schedule.Advance(1)
		check("after the longest rest", false)

		p.compactionEnded(time.Second)
		p.flushEnded()
		check("after a flush", false)
		schedule.Advance(afterFlush)
		p.compactionEnded(time.Second)
		check("long after a flush", true)

		for range idleChecks - 1 {
			p.checked(false)
		}
		check("requests have just ended", true)
		p.checked(false)
		check("idle", false)
		p.checked(true)
		check("requests again", true)
	})
}

// TestAFolderPacesItsCompactions tells the settings of a folder about compactions, flushes and operations: they allow
// compactions accordingly.
func TestAFolderPacesItsCompactions(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCondition(slog.New(slog.DiscardHandler))
		c.ready.Store(true)
		busy := true
		opts := diskSettings(c, nil, func() bool { return busy }, vfs.NewMem(), blockCache)
		scheduler := opts.Experimental.CompactionScheduler.(*compactions)
		allowed := func(what string, want bool) {
			t.Helper()
			if scheduler.allowed() != want {
				t.Errorf("%s: compactions are allowed: %v", what, !want)
			}
		}
		scheduler.check()
		opts.EventListener.CompactionEnd(pebble.CompactionInfo{TotalDuration: time.Second})
		allowed("after a compaction", false)
		opts.EventListener.FlushEnd(pebble.FlushInfo{})
		allowed("after a flush", true)
		schedule.Advance(afterFlush)
		opts.EventListener.CompactionEnd(pebble.CompactionInfo{TotalDuration: time.Second})
		allowed("after another compaction", false)
		c.overlap.full.Store(true)
		allowed("while writers wait for it", true)
		c.overlap.full.Store(false)
		allowed("when writers no longer wait", false)
		busy = false
		for range idleChecks {
			scheduler.check()
		}
		allowed("without requests", true)
	})
}

// TestALargerCacheHasALargerMemtable compares the memtables of two caches. A memtable is a part of the cache.
func TestALargerCacheHasALargerMemtable(t *testing.T) {
	t.Parallel()
	for cache, want := range map[int64]uint64{
		blockCache: memTable, 64 << 20: memTable, 96 << 20: 12 << 20, 1 << 30: largeMemTable,
	} {
		opts := diskSettings(newCondition(slog.New(slog.DiscardHandler)), nil, nil, vfs.NewMem(), cache)
		if opts.MemTableSize != want || opts.CacheSize != cache || opts.LBaseMaxBytes != 8*int64(want) {
			t.Errorf("a cache of %d MiB: memtables of %d bytes, want %d", cache>>20, opts.MemTableSize, want)
		}
	}
}
