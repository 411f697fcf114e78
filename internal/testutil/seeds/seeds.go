// Package seeds runs a randomized test once for each of several seeds, so that a failure names the seed that replays
// it.
//
// Four variables change what runs:
//
//	TABLETOP_SEED=17        run only seed 17, to replay a failure
//	TABLETOP_SEEDS=5000     run 5,000 seeds instead of the test's number
//	TABLETOP_SEED_FACTOR=9  run 9 times the test's number, for many tests of unequal length
//	TABLETOP_FIRST_SEED=90  begin with seed 90 instead of 1, so that CI tries other seeds for each commit
package seeds

import (
	"os"
	"strconv"
	"testing"

	"github.com/tabletop-db/tabletop/internal/testutil/race"
)

// raceDivisor divides the number of seeds under the race detector, which makes each of them ten times as slow and finds
// the same races in a few as in many.
const raceDivisor = 3

// Run calls test in a subtest for each of n seeds, where n fits the unit suite's minute, or for a third of them under
// the race detector. A variable that is not a positive integer fails the test.
func Run(t *testing.T, n int, test func(t *testing.T, seed uint64)) {
	t.Helper()
	if race.Enabled {
		n = (n + raceDivisor - 1) / raceDivisor
	}
	first := envNumber(t, "TABLETOP_FIRST_SEED", 1)
	count := envNumber(t, "TABLETOP_SEEDS", uint64(n)*envNumber(t, "TABLETOP_SEED_FACTOR", 1))
	if one := envNumber(t, "TABLETOP_SEED", 0); one != 0 {
		first, count = one, 1
	}
	for seed := first; seed < first+count; seed++ {
		passed := t.Run("seed="+strconv.FormatUint(seed, 10), func(t *testing.T) { test(t, seed) })
		if !passed {
			t.Logf("replay it with: TABLETOP_SEED=%d go test -run '^%s$' in this package", seed, t.Name())
		}
	}
}

func envNumber(t *testing.T, name string, fallback uint64) uint64 {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return fallback
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n == 0 {
		t.Fatalf("%s is %q; it must be a whole number from 1 on", name, text)
	}
	return n
}
