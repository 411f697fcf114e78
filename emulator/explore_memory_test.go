package emulator_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator"
)

// memoryVariable names the file to which the program "leaves no memory" writes what its process uses.
const memoryVariable = "TABLETOP_TEST_MEMORY"

const (
	firstMeasure, lastMeasure = 100, 1000      // runs of the process after which it is measured
	maxGrowth                 = int64(1) << 20 // bytes of the heap between them
)

// TestAThousandRunsLeaveNoMemory checks that after 1,000 runs of Explore in one process its heap is not larger than
// after 100, but for the bound, and that it has as many goroutines.
func TestAThousandRunsLeaveNoMemory(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes a few seconds")
	}
	file := filepath.Join(t.TempDir(), "memory")
	if output, passed := exploredOutput(t, "leaves no memory", "GOMAXPROCS=1", memoryVariable+"="+file); !passed {
		t.Fatal(output)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var heap, goroutines [2]int64
	if _, err := fmt.Sscan(string(text), &heap[0], &goroutines[0], &heap[1], &goroutines[1]); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	if heap[1]-heap[0] > maxGrowth || goroutines[1] != goroutines[0] {
		t.Errorf("after %d runs: %d bytes, %d goroutines; after %d: %d bytes, %d goroutines", firstMeasure, heap[0],
			goroutines[0], lastMeasure, heap[1], goroutines[1])
	}
}

// writesTen writes ten items to a new table.
func writesTen(t *testing.T, e *emulator.Emulator) {
	db := client(e)
	newTable(db, "counters")
	for n := range 10 {
		put(t, db, "counters", counterKey(fmt.Sprint(n)))
	}
}

var runsOfThisProcess int

// leavesNoMemory writes ten items, and appends to a file what the process uses after some runs.
func leavesNoMemory(t *testing.T, e *emulator.Emulator) {
	writesTen(t, e)
	if runsOfThisProcess++; runsOfThisProcess != firstMeasure && runsOfThisProcess != lastMeasure {
		return
	}
	heap, goroutines := settledMemory()
	out, err := os.OpenFile(os.Getenv(memoryVariable), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = out.Close() }()
	if _, err := fmt.Fprintln(out, heap, goroutines); err != nil {
		t.Fatal(err)
	}
}

// settledMemory returns the bytes of the heap that are in use and the number of goroutines, when the latter no longer
// falls: those of earlier runs end some time after these.
func settledMemory() (heap uint64, goroutines int) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	goroutines = runtime.NumGoroutine()
	for same := 0; same < 100; same++ {
		<-tick.C
		if n := runtime.NumGoroutine(); n < goroutines {
			goroutines, same = n, 0
		}
	}
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc, goroutines
}
