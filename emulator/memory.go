package emulator

import (
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
)

// MinMemory is the least limit of WithMemory in bytes: 256 MiB. With less, the largest requests that the services allow
// would be throttled forever.
const MinMemory = 256 << 20

// How the limit of WithMemory is divided. The rest is for the programs' own structures and for garbage.
const (
	cacheShare = 4 // a fourth for the cache of what is on disk, which includes the memtables
	poolShare  = 3 // a third for requests in progress
)

// programBytes is the resident memory of a process that Go's memory limit does not count: above all the program itself.
const programBytes = 48 << 20

// WithMemory limits the memory of an emulator with a folder (WithData) to about that many bytes, whatever the size of
// the folder: a fourth is for the cache of what is on disk, a third for the requests in progress, beyond which they are
// throttled. Go's memory limit, [debug.SetMemoryLimit], is set to slightly less for the whole process, unless it is
// lower already, and stays when the emulator is closed. The default, 0, is a cache of 32 MiB, 1 GiB for requests in
// progress, and Go's own limit. Start fails if bytes is below MinMemory, or without WithData, because then all data is
// in memory.
func WithMemory(bytes int64) Option { return func(o *options) { o.memory = bytes } }

// applyMemory checks the memory limit, and limits the requests in progress.
func (o *options) applyMemory() error {
	switch {
	case o.memory == 0:
		return nil
	case o.memory < MinMemory:
		return fmt.Errorf("a memory limit of %d MiB is too small: the minimum is %d MiB", o.memory>>20, MinMemory>>20)
	case o.dir == "":
		return errors.New("a memory limit needs a data folder: without one, all data is in memory")
	}
	if o.inflight.Pool == nil {
		o.inflight.Pool = budget.NewPool(min(o.memory/poolShare, budget.DefaultPool))
	}
	return nil
}

// limitHeap makes the garbage collector keep the process within the memory limit; 0 means none.
func limitHeap(memory int64) {
	if memory > 0 {
		debug.SetMemoryLimit(min(memory-programBytes, debug.SetMemoryLimit(-1)))
	}
}
