package heap

import (
	"strings"
	"testing"
)

// TestMemoryIsReturnedAfterMuchWork lets a process work, rest, do little, and work again. A tick is a letter: w with a
// quarter of much work, l with little, - with none.
func TestMemoryIsReturnedAfterMuchWork(t *testing.T) {
	t.Parallel()
	allocates := map[rune]uint64{'w': muchWork / 4, 'l': idleWork - 1, '-': 0}
	rest := strings.Repeat("-", restTicks)
	for ticks, want := range map[string]int{
		"-----":                 0,
		"wwww":                  0, // at work
		"wwww--":                0, // a pause
		"wwww--w":               0,
		"wwww---":               1,
		"wwwwlll":               1,
		"ww--ww---":             1,
		"wwww--------":          1,
		"www---www---www---":    0, // bursts
		"wwww---wwww---":        2,
		"wwww---llllllllll----": 1, // what an idle process does
		"w---w---w" + rest:      1, // the end of bursts
		"w" + rest[1:]:          0,
		"w" + rest + rest + "w": 1,
		"w" + rest + "w" + rest: 2,
		"wwww" + rest:           1,
		"l" + rest:              0,
		rest:                    0,
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
