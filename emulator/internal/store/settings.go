package store

import (
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/vfs"
)

const (
	// memTable is the size at which Pebble's sorted buffer of new writes becomes a table. It starts at 256 KB and
	// doubles, so small stores stay small. Larger ones mean fewer compactions, the dearest part of a put (200,000 new
	// items cost 13 µs of processor time each at 4 MB, 10 at 16, before seenKeys), but their nodes fall out of the
	// processor's cache and each search slows down, and up to three of them are in memory.
	memTable = 8 << 20

	// blockCache is what Pebble may use for blocks of tables and for memtables together: it counts the memtables, of
	// which there are up to three for a moment, against it. A cache of their size caches nothing, and each Get then
	// reads and checks every index and filter again (10 µs in place of 2). The rest holds those of a million items, and
	// the hot data. Memory is taken only when used.
	blockCache = 4 * memTable

	// tableSize is the size of a sorted table. Larger tables mean fewer of them to look through and less to write per
	// compaction about each; much larger ones would make the smallest compaction long.
	tableSize = 4 << 20

	// indexBlock is above any index of a table of tableSize, so that an index is one block. Pebble's 4 KB would make
	// an index of indexes, one block more to find for each Get.
	indexBlock = 256 << 10

	// filterBits per key let one lookup in a hundred of an absent key through to a table.
	filterBits = 10

	// syncInterval is the least time from one sync of the log to the next, for writers to gather. Without it 16 writers
	// shared a sync by seven; with it a synced put took about a third less processor time.
	syncInterval = 100 * time.Microsecond

	lastLevel = 6
)

// memorySettings are Pebble's options for a store in memory. There is no log: nothing is left to recover for.
func memorySettings(c *condition, fs vfs.FS) *pebble.Options {
	opts := commonSettings(c)
	opts.FS = fs
	opts.DisableWAL = true
	return opts
}

// diskSettings are Pebble's options for a store in a folder.
func diskSettings(c *condition, space *spaceWatch, fs vfs.FS) *pebble.Options {
	opts := commonSettings(c)
	opts.FS = fs
	opts.Experimental.CompactionScheduler = newCompactions(func() bool { return c.sound() && !space.isFull() })
	opts.WALMinSyncInterval = func() time.Duration { return syncInterval }
	return opts
}

func commonSettings(c *condition) *pebble.Options {
	opts := &pebble.Options{
		// Fixed, so that a newer library does not change the format of a folder under an older program.
		FormatMajorVersion: pebble.FormatValueSeparation,
		Logger:             pebbleLogger{c.logger, c},
		EventListener:      c.listener(),
		CacheSize:          blockCache,
		MemTableSize:       memTable,
		// A flush must not stop writers: 4 memtables, of which the last fills while the others are written.
		MemTableStopWritesThreshold: 4,
		// Pebble stops all writers when so many tables lie over one key; a slow read is better than that on a desk.
		L0StopWritesThreshold: 64,
	}
	opts.TargetFileSizes = [lastLevel + 1]int64{tableSize, tableSize, tableSize, tableSize, tableSize, tableSize, tableSize}
	for i := range opts.Levels {
		opts.Levels[i].IndexBlockSize = indexBlock
		opts.Levels[i].FilterPolicy = bloom.FilterPolicy(filterBits)
	}
	// Get does not consult the filters of the last level, so they would be written in vain; see seenKeys.
	opts.Levels[lastLevel].FilterPolicy = pebble.NoFilterPolicy
	// A compaction because of reads would spend on a desk more than it ever saves.
	opts.Experimental.ReadSamplingMultiplier = -1
	// Each shard has a goroutine, and hundreds of stores live in one process.
	opts.Experimental.FileCacheShards = 2
	// Compressing and decompressing takes more time than the bytes it saves on a desk are worth.
	opts.ApplyCompressionSettings(func() pebble.DBCompressionSettings { return pebble.DBCompressionNone })
	return opts
}
