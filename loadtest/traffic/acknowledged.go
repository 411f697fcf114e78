package traffic

import (
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// acknowledged is what answers said was made, by id, for a comparison with what is there in the end. Counts alone would
// not do: one that is lost and one that is there twice have the right sum.
type acknowledged map[string]int

// add notes that an answer said that this one was made.
func (a acknowledged) add(id string) { a[id]++ }

// reckon compares with how often each id is there. before has the ids of what was made before the attack, errors is how
// many of its requests failed.
func (a acknowledged) reckon(there map[string]int, before map[string]bool, errors int64) *result.Kept {
	kept := &result.Kept{}
	if errors == 0 {
		var n int64
		for id := range there {
			if a[id] == 0 && !before[id] {
				n++
			}
		}
		kept.Unacknowledged = &n
	}
	for id, times := range a {
		kept.Acknowledged += int64(times)
		kept.Lost += int64(max(0, times-there[id]))
		kept.Doubled += int64(max(0, there[id]-1))
	}
	return kept
}
