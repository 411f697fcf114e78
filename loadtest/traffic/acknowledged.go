package traffic

import (
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// acknowledged counts, by id, how often responses said that a thing was created, to compare with what is stored in the
// end. Totals alone would not do: if one is lost and another is stored twice, the sum is still right.
type acknowledged map[string]int

// add records that a response acknowledged the thing with this id.
func (a acknowledged) add(id string) { a[id]++ }

// reckon compares the acknowledged things with there, which says how often each id is stored. before has the ids of the
// things created before the attack; errors is the number of failed requests of the attack.
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
