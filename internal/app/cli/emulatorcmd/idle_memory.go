package emulatorcmd

import (
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	idleTick = 200 * time.Millisecond
	// idleTicks is after how many ticks without work memory is returned.
	idleTicks = 2
	// longWork is how many ticks the work must have taken: what short bursts of requests take, the next one needs again,
	// and memory that was returned costs more than memory that was kept.
	longWork = 5
	// idleWork is how much memory a process allocates between two ticks at least if it has work.
	idleWork = 1 << 20
	// worthReturning is how much it must have allocated since the last return, so that a process with little to do does
	// not collect its garbage again and again.
	worthReturning = 32 << 20
)

// idleMemory returns the memory of a process without work to the system. Go's runtime would keep up to twice the memory
// in use until the next garbage collection, which only further work starts.
type idleMemory struct {
	allocated func() uint64 // bytes since the start of the process
	giveBack  func()
	last      uint64 // allocated at the last tick
	idle      int    // ticks without work
	work      int    // ticks with work, since memory was last returned or the process was idle
	returned  uint64 // allocated when memory was last returned
}

// returnIdleMemory starts to return memory that the process does not need, until stop is called.
func returnIdleMemory() (stop func()) {
	m := idleMemory{allocated: allocatedBytes, giveBack: debug.FreeOSMemory}
	tick, stopped := time.NewTicker(idleTick), make(chan struct{})
	go func() {
		for {
			select {
			case <-tick.C:
				m.check()
			case <-stopped:
				return
			}
		}
	}()
	return func() {
		tick.Stop()
		close(stopped)
	}
}

// check is called at each tick.
func (m *idleMemory) check() {
	now := m.allocated()
	if now-m.last >= idleWork {
		m.idle, m.work = 0, m.work+1
	} else {
		m.idle++
	}
	m.last = now
	if m.idle < idleTicks {
		return
	}
	if m.work >= longWork && now-m.returned >= worthReturning {
		m.giveBack()
		m.returned = now
	}
	m.work = 0
}

func allocatedBytes() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
