// Package heap paces the garbage collector, and returns the memory of an idle process to the system.
package heap

import (
	"cmp"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// DefaultHeadroom is how many bytes the process may allocate between two garbage collections, whatever the size of its
// heap. By Go's default, as much again as is in use, an emulator with little data would collect several times a second,
// and one with much data would take twice its size. Nearly all of that data is bytes, which a collection does not scan.
const DefaultHeadroom = 48 << 20

// headroom is the headroom in bytes; 0 means DefaultHeadroom. It is the process's, as the collector is.
var headroom atomic.Uint64

// SetHeadroom changes the headroom of a process that called Tune, from the next collection on.
func SetHeadroom(bytes uint64) { headroom.Store(bytes) }

// The limits of the growth in percent of the heap in use. Below the least, collections would take much of the time.
const (
	minGrowth = 25
	maxGrowth = 2000
)

// Tune keeps the headroom for the rest of the process's life. It checks the heap after each collection.
func Tune() {
	adjustHeap()
	runtime.SetFinalizer(&sentinel{}, (*sentinel).collected)
}

// sentinel is garbage at once: its finalizer runs after the next collection.
type sentinel struct{ _ [16]byte }

func (s *sentinel) collected() {
	adjustHeap()
	runtime.SetFinalizer(s, (*sentinel).collected)
}

func adjustHeap() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/gogc:percent"}}
	metrics.Read(live)
	used := max(live[0].Value.Uint64(), 1<<20)
	room := cmp.Or(headroom.Load(), DefaultHeadroom)
	percent := min(max(room*100/used, minGrowth), maxGrowth)
	// Setting the percentage stops the world, so it is not changed while it is about right.
	if now := live[1].Value.Uint64(); percent < now*9/10 || percent > now*11/10 {
		debug.SetGCPercent(int(percent))
	}
}
