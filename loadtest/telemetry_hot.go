package loadtest

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"
)

// HotDeviceRule is when a device writes too much: "If a single device exceeds 1 write/second sustained, consider
// sharding strategy." Sustained is over the window, with writes in at least Busy of its tenths, so that a device that
// delivers a buffer at once is not accused.
type HotDeviceRule struct {
	WritesPerSecond float64  `json:"writes_per_second"`
	Window          Duration `json:"window"`
	Busy            int      `json:"busy_tenths"`
}

// tenths is how many parts a window has.
const tenths = 10

// hotRule is the documented rule; the window is a minute, or the whole run when that is shorter.
func hotRule(run time.Duration) HotDeviceRule {
	return HotDeviceRule{WritesPerSecond: 1, Window: Duration(min(run, time.Minute)), Busy: 8}
}

// HotDevice is a device that broke the rule, in the window in which it wrote most.
type HotDevice struct {
	HardwareID      string  `json:"hardware_id"`
	WritesPerSecond float64 `json:"writes_per_second"`
	Shards          int     `json:"shards"` // that bring it under the rule
	Advice          string  `json:"advice"`
}

// writes counts each device's stored readings by tenths of the rule's window.
type writes struct {
	rule  HotDeviceRule
	count map[string][]int
}

func newWrites(rule HotDeviceRule) *writes { return &writes{rule: rule, count: map[string][]int{}} }

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
func (w *writes) hot() []HotDevice {
	hot := []HotDevice{}
	for id, counts := range w.count {
		if rate := w.busiest(counts); rate > w.rule.WritesPerSecond {
			shards := int(math.Ceil(rate / w.rule.WritesPerSecond))
			hot = append(hot, HotDevice{HardwareID: id, WritesPerSecond: rate, Shards: shards, Advice: advice(id, rate, shards)})
		}
	}
	slices.SortFunc(hot, func(a, b HotDevice) int {
		return cmp.Or(cmp.Compare(b.WritesPerSecond, a.WritesPerSecond), cmp.Compare(a.HardwareID, b.HardwareID))
	})
	return hot
}

// busiest returns the writes a second of the busiest window that is sustained; 0 when none is.
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
	return fmt.Sprintf("%s writes %.1f times a second to one partition: let it send less often, or shard its partition key "+
		"as %s#0 to #%d by batch_id, and read all %d shards together", id, rate, id, shards-1, shards)
}
