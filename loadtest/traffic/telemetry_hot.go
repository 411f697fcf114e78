package traffic

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// tenths is the number of parts of a window.
const tenths = 10

// hotRule returns the documented rule. The window is a minute, or the whole run if that is shorter.
func hotRule(run time.Duration) result.HotDeviceRule {
	return result.HotDeviceRule{WritesPerSecond: 1, Window: profile.Duration(min(run, time.Minute)), Busy: 8}
}

// writes counts each device's stored readings, by tenth of the rule's window.
type writes struct {
	rule  result.HotDeviceRule
	count map[string][]int
}

func newWrites(rule result.HotDeviceRule) *writes {
	return &writes{rule: rule, count: map[string][]int{}}
}

// add counts a write at this time since the start.
func (w *writes) add(hardwareID string, at time.Duration) {
	slot := int(at * tenths / time.Duration(w.rule.Window))
	counts := w.count[hardwareID]
	for len(counts) <= slot {
		counts = append(counts, 0)
	}
	counts[slot]++
	w.count[hardwareID] = counts
}

// hot returns the devices that broke the rule, the busiest first.
func (w *writes) hot() []result.HotDevice {
	hot := []result.HotDevice{}
	for id, counts := range w.count {
		if rate := w.busiest(counts); rate > w.rule.WritesPerSecond {
			shards := int(math.Ceil(rate / w.rule.WritesPerSecond))
			hot = append(hot, result.HotDevice{HardwareID: id, WritesPerSecond: rate, Shards: shards,
				Advice: advice(id, rate, shards)})
		}
	}
	slices.SortFunc(hot, func(a, b result.HotDevice) int {
		return cmp.Or(cmp.Compare(b.WritesPerSecond, a.WritesPerSecond), cmp.Compare(a.HardwareID, b.HardwareID))
	})
	return hot
}

// busiest returns the writes per second of the busiest sustained window, or 0 if there is none.
func (w *writes) busiest(counts []int) float64 {
	best := 0
	for end := tenths; end <= max(len(counts), tenths); end++ {
		sum, busy := 0, 0
		for i := end - tenths; i < min(end, len(counts)); i++ {
			sum += counts[i]
			busy += min(counts[i], 1)
		}
		if busy >= w.rule.Busy {
			best = max(best, sum)
		}
	}
	return float64(best) / time.Duration(w.rule.Window).Seconds()
}

func advice(id string, rate float64, shards int) string {
	return fmt.Sprintf("%s sustains %.1f writes/s on one partition: make it send less often, or shard its partition key "+
		"as %s#0 to #%d by batch_id and query all %d shards", id, rate, id, shards-1, shards)
}
