package traffic

import (
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// acknowledged counts, by id, how often responses acknowledged a write, to compare with what is stored after the
// attack. Totals are not enough: if one write is lost and another is stored twice, the sum is still right.
type acknowledged map[string]int

// add records that a response acknowledged the write with this id.
func (a acknowledged) add(id string) { a[id]++ }

// compare compares the acknowledged ids with the stored ones, which map each id to how often it is stored. before has
// the ids from before the attack; errors is the number of failed requests of the attack.
func (a acknowledged) compare(stored map[string]int, before map[string]bool, errors int64) *result.Durability {
	d := &result.Durability{}
	if errors == 0 {
		var n int64
		for id := range stored {
			if a[id] == 0 && !before[id] {
				n++
			}
		}
		d.Unacknowledged = &n
	}
	for id, times := range a {
		d.Acknowledged += int64(times)
		d.Lost += int64(max(0, times-stored[id]))
		d.Duplicated += int64(max(0, stored[id]-1))
	}
	return d
}
