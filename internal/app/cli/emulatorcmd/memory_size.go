package emulatorcmd

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator"
)

// memorySize is the value of --memory in bytes; 0 means no limit.
type memorySize int64

// memoryUnits are the units of --memory, the largest first, in bytes.
var memoryUnits = []struct {
	name  string
	bytes int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}}

// Set reads a whole number with a unit. Errors: another text, or less than the minimum.
func (m *memorySize) Set(text string) error {
	for _, unit := range memoryUnits {
		digits, ok := strings.CutSuffix(text, unit.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || n < 0 || n > math.MaxInt64/unit.bytes {
			break
		}
		if n*unit.bytes < emulator.MinMemory {
			return fmt.Errorf("%s is too small: the minimum is %dMiB", text, emulator.MinMemory>>20)
		}
		*m = memorySize(n * unit.bytes)
		return nil
	}
	return fmt.Errorf("%s is no size: use KiB, MiB or GiB, as in 512MiB", text)
}

// String returns the size in the form that Set reads, in the largest unit in which it is a whole number.
func (m *memorySize) String() string {
	for _, unit := range memoryUnits {
		if *m != 0 && int64(*m)%unit.bytes == 0 {
			return strconv.FormatInt(int64(*m)/unit.bytes, 10) + unit.name
		}
	}
	return ""
}

// Type returns the name of the value in the help.
func (m *memorySize) Type() string { return "size" }
