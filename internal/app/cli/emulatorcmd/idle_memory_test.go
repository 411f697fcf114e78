package emulatorcmd

import "testing"

// TestMemoryIsReturnedAfterLongWork lets a process work, rest, do little, and work again. A tick is a letter: w with
// much work, l with little, - with none.
func TestMemoryIsReturnedAfterLongWork(t *testing.T) {
	t.Parallel()
	allocates := map[rune]uint64{'w': worthReturning / 2, 'l': idleWork - 1, '-': 0}
	for ticks, want := range map[string]int{
		"-----":               0,
		"wwwww":               0, // at work
		"wwwww-":              0, // a pause
		"wwwww-w":             0,
		"wwwww--":             1,
		"wwwwwll":             1,
		"ww-www--":            1,
		"wwwww--------":       1,
		"wwww--wwww--wwww---": 0, // short bursts
		"wwwww--wwwww--":      2,
		"wwwww--lllllllll---": 1, // what an idle process does
	} {
		var allocated uint64
		returns := 0
		m := idleMemory{allocated: func() uint64 { return allocated }, giveBack: func() { returns++ }}
		for _, tick := range ticks {
			allocated += allocates[tick]
			m.check()
		}
		if returns != want {
			t.Errorf("%s: memory was returned %d times, want %d", ticks, returns, want)
		}
	}
}

// TestAllocatedBytesGrow guards the name of the runtime's metric.
func TestAllocatedBytesGrow(t *testing.T) {
	t.Parallel()
	if allocatedBytes() == 0 {
		t.Error("the process has allocated 0 bytes")
	}
}
