// Package heap paces the garbage collector.
package heap

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// headroom is how many bytes the process may allocate between two garbage collections, whatever it holds. Go's
// own rule, as much again as is in use, collects an emulator with little data several times a second, and
// lets one with much data take twice its size; nearly all of that data is bytes, which cost a collection
// nothing.
const headroom = 48 << 20

// The bounds in percent of the heap in use. Below the least, much of the time would go into collections.
const (
	leastGrowth = 25
	mostGrowth  = 2000
)

// Tune keeps the headroom for the rest of the process's life. It looks at the heap after each collection.
func Tune() {
	adjustHeap()
	runtime.SetFinalizer(&sentinel{}, (*sentinel).collected)
}

// sentinel is garbage from the start: its finalizer runs after the next collection.
type sentinel struct{ _ [16]byte }

func (s *sentinel) collected() {
	adjustHeap()
	runtime.SetFinalizer(s, (*sentinel).collected)
}

func adjustHeap() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/gogc:percent"}}
	metrics.Read(live)
	used := max(live[0].Value.Uint64(), 1<<20)
	percent := min(max(headroom*100/used, leastGrowth), mostGrowth)
	// Setting the percentage stops the world: it is left alone while it is about right.
	if now := live[1].Value.Uint64(); percent < now*9/10 || percent > now*11/10 {
		debug.SetGCPercent(int(percent))
	}
}
