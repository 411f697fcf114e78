package store

import (
	"math"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/vfs"
)

const (
	// memTable is the size of Pebble's memtable. It starts at 256 KB and doubles, so small stores stay small. Larger
	// ones mean fewer compactions, the most expensive part of a put (200,000 new items cost 13 µs of CPU time each at
	// 4 MB, 10 at 16, before keyFilter), but their nodes fall out of the CPU cache, which slows each search, and up to
	// three of them are in memory.
	memTable = 8 << 20

	// blockCache is the size of Pebble's cache of table blocks, which includes up to three memtables. A cache of only
	// their size caches nothing, and each Get then reads and checks every index and filter again (10 µs instead of 2).
	// The rest holds those of a million items, and the hot data. Memory is taken only when used.
	blockCache = 4 * memTable

	// tableSize is the size of a sorted table. Larger tables mean fewer to search and less overhead per compaction;
	// much larger ones would make the smallest compaction long.
	tableSize = 4 << 20

	// indexBlock is larger than any index of a table of tableSize, so that an index is one block. With Pebble's default
	// of 4 KB it would have two levels, and each Get would read one more block.
	indexBlock = 256 << 10

	// firstLevel is the number of overlapping tables at which the first level is compacted, twice Pebble's default. A
	// compaction copies everything below the first level that its keys overlap, which with hashed keys is all of it.
	// With four tables, to replace items of 1 KB among 300,000 wrote 7.9 bytes to the disk for each byte instead of 5.7,
	// and took 56 µs of CPU time instead of 42 (BenchmarkReplacementsOnDisk); in memory, a BatchWriteItem took a sixth
	// more. Lookups skip most of the tables by their filters.
	firstLevel = 8

	// filterBits is the number of filter bits per key: one lookup of an absent key in a hundred reads a table in vain.
	filterBits = 10

	// openTables is how many tables of a folder are open at a time, if the system allows as many files: 32 GB. To open
	// one again, and to read its index, takes longer than all else of a Get: with Pebble's default of 1,000, a Get of
	// one of ten million items took 230 to 260 µs of CPU time instead of 160 to 175.
	openTables = 8000

	// syncInterval is the least time between two syncs of the log, for writers to gather. Without it, about seven of 16
	// writers shared a sync; with it, a synced put took about a third less CPU time.
	syncInterval = 100 * time.Microsecond

	lastLevel = 6
)

// Settings of stores in memory, where a block costs a copy and no read of a disk.
const (
	// memoryBlock is the size of a data block. Compactions and iterators pay for each block that they enter; Pebble's
	// default of 4 KB has nine items of 400 B.
	memoryBlock = 16 << 10

	// memoryCache is the size of the block cache. A block that is not in it is copied, checked, and takes the place of
	// another: a Get takes 12 µs of CPU time then instead of 2. Memory is taken only when data is read.
	memoryCache = 128 << 20
)

// memorySettings returns Pebble's options for a store in memory. There is no log, because there is no recovery.
func memorySettings(c *condition, fs vfs.FS) *pebble.Options {
	opts := commonSettings(c)
	opts.FS = fs
	opts.DisableWAL = true
	opts.CacheSize = memoryCache
	for i := range opts.Levels {
		opts.Levels[i].BlockSize = memoryBlock
	}
	return opts
}

// Settings of stores in a folder.
const (
	// largeMemTable is the size of the memtable if the cache is at least eight times as large: see WithMemory. A large
	// folder has one level less then, and each item is copied less often by compactions. To replay so much log after a
	// crash takes about 0.2 s.
	largeMemTable = 16 << 20

	// largeFirstLevel is firstLevel for larger memtables: of 16 MiB, the first level has as many bytes.
	largeFirstLevel = 4

	// diskBlock is the size of a data block. With Pebble's default of 4 KB, the indexes of ten million items of 1 KB
	// took 80 MB, and a Get read an index more often.
	diskBlock = 8 << 10
)

// diskSettings returns Pebble's options for a store in a folder, with a cache of that many bytes. busy reports whether
// the store has anything to do.
func diskSettings(c *condition, space *spaceWatch, busy func() bool, fs vfs.FS, cache int64) *pebble.Options {
	opts := commonSettings(c)
	opts.FS = fs
	opts.L0StopWritesThreshold = math.MaxInt32 // see awaitCompactions
	opts.CacheSize = cache
	if opts.MemTableSize = uint64(min(largeMemTable, max(memTable, cache/8))); opts.MemTableSize > memTable {
		opts.L0CompactionThreshold = largeFirstLevel
		opts.MemTableStopWritesThreshold = 3 // what is not flushed yet must fit into DefaultMinFreeSpace
	}
	for i := range opts.Levels {
		opts.Levels[i].BlockSize = diskBlock
	}
	// As much as the first level at firstLevel: a compaction of it then rewrites about as much again.
	opts.LBaseMaxBytes = firstLevel * int64(opts.MemTableSize)
	opts.Experimental.CompactionScheduler = newCompactions(
		func() bool {
			return c.ready.Load() && c.healthy() && !space.isFull() && !c.pace.rests(c.overlap.full.Load())
		},
		func() {
			c.pace.checked(busy())
			c.overlap.measure()
		})
	opts.MaxOpenFiles = min(openTables, fileLimit()/2) // the other half is for connections
	opts.WALMinSyncInterval = func() time.Duration { return syncInterval }
	return opts
}

func commonSettings(c *condition) *pebble.Options {
	opts := &pebble.Options{
		// Fixed, so that a newer library does not change the format of a folder that older programs open.
		FormatMajorVersion: pebble.FormatValueSeparation,
		Logger:             pebbleLogger{c.logger, c},
		EventListener:      c.listener(),
		MemTableSize:       memTable,
		// A flush must not stop writers: of four memtables the last fills while the others are written.
		MemTableStopWritesThreshold: 4,
		L0StopWritesThreshold:       maxOverlapping,
		L0CompactionThreshold:       firstLevel,
	}
	opts.TargetFileSizes = [lastLevel + 1]int64{tableSize, tableSize, tableSize, tableSize, tableSize,
		tableSize, tableSize}
	for i := range opts.Levels {
		opts.Levels[i].IndexBlockSize = indexBlock
		opts.Levels[i].FilterPolicy = bloom.FilterPolicy(filterBits)
	}
	// Get does not use the filters of the last level, so they would be written in vain; see keyFilter.
	opts.Levels[lastLevel].FilterPolicy = pebble.NoFilterPolicy
	// On a developer's machine a compaction triggered by reads would cost more than it saves.
	opts.Experimental.ReadSamplingMultiplier = -1
	// Each shard has a goroutine, and one process may have hundreds of stores.
	opts.Experimental.FileCacheShards = 2
	// On a developer's machine compression takes more time than the saved bytes are worth.
	opts.ApplyCompressionSettings(func() pebble.DBCompressionSettings { return pebble.DBCompressionNone })
	return opts
}
