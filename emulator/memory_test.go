package emulator_test

import (
	"math"
	"runtime/debug"
	"testing"

	"github.com/tabletop-db/tabletop/emulator"
)

func TestMemoryLimit(t *testing.T) {
	t.Parallel()
	for name, opts := range map[string][]emulator.Option{
		"too small": {emulator.WithData(t.TempDir()), emulator.WithMemory(emulator.MinMemory - 1)},
		"negative":  {emulator.WithData(t.TempDir()), emulator.WithMemory(-1)},
		"in memory": {emulator.WithMemory(emulator.MinMemory)},
	} {
		if e, err := emulator.Start(opts...); err == nil {
			t.Errorf("%s: it started, %v", name, e.Close())
		}
	}
	emulator.Run(t, emulator.WithData(t.TempDir()), emulator.WithMemory(64<<30)) // more than any test takes
	if limit := debug.SetMemoryLimit(-1); limit > 64<<30 || limit == math.MaxInt64 {
		t.Errorf("Go's memory limit is %d bytes", limit)
	}
}
