package heap

import (
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	idleTick = 200 * time.Millisecond
	// idleWork is how much memory a process allocates between two ticks at least if it has work.
	idleWork = 1 << 20

	// idleTicks is after how many ticks without work memory is returned, if the process has allocated muchWork since it
	// was last idle, as a load of data does. What a burst of requests takes, the next one needs again, and to take it
	// anew costs more than it is worth.
	idleTicks = 3
	muchWork  = 112 << 20
	// restTicks is after how many ticks without work memory is returned, if the process has allocated someWork since it
	// was last returned.
	restTicks = 50
	someWork  = 16 << 20
)

// idleMemory returns the memory of a process without work to the system. Go's runtime would keep up to twice the memory
// in use until the next garbage collection, which only further work starts.
type idleMemory struct {
	allocated func() uint64 // bytes since the start of the process
	giveBack  func()
	ticks     int    // without work
	last      uint64 // allocated at the last tick
	idle      uint64 // allocated when the process was last idle
	returned  uint64 // allocated when memory was last returned
}

// ReturnWhenIdle starts to return memory that the process does not need, when it is idle after much work, until stop is
// called.
func ReturnWhenIdle() (stop func()) {
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
	m.ticks++
	if now-m.last >= idleWork {
		m.ticks = 0
	}
	m.last = now
	if m.ticks < idleTicks {
		return
	}
	if now-m.idle >= muchWork || m.ticks == restTicks && now-m.returned >= someWork {
		m.giveBack()
		m.returned = now
	}
	m.idle = now
}

func allocatedBytes() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
