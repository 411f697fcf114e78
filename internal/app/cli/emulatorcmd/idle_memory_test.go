package emulatorcmd

import "testing"

// TestMemoryIsReturnedWhenWorkEnds lets a process work, rest, do little, and work again.
func TestMemoryIsReturnedWhenWorkEnds(t *testing.T) {
	t.Parallel()
	var allocated uint64
	var returns int
	m := idleMemory{allocated: func() uint64 { return allocated }, giveBack: func() { returns++ }}
	for i, tick := range []struct {
		allocates uint64
		returns   int // so far
	}{
		{0, 0},                  // nothing was done yet
		{worthReturning / 2, 0}, // at work
		{worthReturning, 0},
		{0, 0}, // a pause
		{worthReturning, 0},
		{0, 0},
		{0, 1}, // the work has ended
		{0, 1},
		{idleWork - 1, 1}, // what an idle process does
		{worthReturning / 2, 1},
		{0, 1},
		{0, 1}, // too little to return
		{worthReturning / 2, 1},
		{idleWork - 1, 1},
		{idleWork - 1, 2},
	} {
		allocated += tick.allocates
		m.check()
		if returns != tick.returns {
			t.Errorf("tick %d: memory was returned %d times, want %d", i, returns, tick.returns)
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
