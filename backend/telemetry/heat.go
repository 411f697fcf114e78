package telemetry

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"
)

const (
	heatSlots = 6                // slots of heatSlot each: the last minute
	heatSlot  = 10 * time.Second // by the service's clock
	// slots above the limit that make a device hot: most of a minute, as in the load profile
	heatSustained  = 5
	heatLimit      = int(heatSlot / time.Second)
	heatDevices    = 10_000 // devices counted per slot, as many as the document's largest fleet: about 600 KB
	hottestDevices = 10     // devices reported
	shardingAdvice = "more than one write per second for most of a minute: consider sharding its readings, because a partition supports 1,000 writes per second"
)

// heat counts the writes of each device in the last minute, in bounded memory. A slot with heatDevices devices counts
// by the Misra-Gries algorithm: each count is then too low by at most the slot's writes divided by heatDevices, and a
// device above the limit at the documented peak is still found.
type heat struct {
	mu    sync.Mutex
	slots [heatSlots]heatCounts
}

// heatCounts are the writes in a slot, by device.
type heatCounts struct {
	number int64 // of the slot, since the epoch
	writes map[string]int
}

// HotDevice is one of the devices with the most writes in the last minute.
type HotDevice struct {
	HardwareID HardwareID `json:"hardware_id"`
	Writes     int        `json:"writes" doc:"Readings stored in the last minute" example:"300"`
	Hot        bool       `json:"hot" doc:"More than one write per second for at least 50 of the last 60 seconds"`
	Advice     string     `json:"advice,omitempty" doc:"Advice for a hot device"`
}

// add counts a stored reading.
func (h *heat) add(now time.Time, device string) {
	number := now.UnixNano() / int64(heatSlot)
	h.mu.Lock()
	defer h.mu.Unlock()
	slot := &h.slots[number%heatSlots]
	if slot.number != number || slot.writes == nil {
		*slot = heatCounts{number: number, writes: map[string]int{}}
	}
	slot.add(device)
}

func (c heatCounts) add(device string) {
	if _, known := c.writes[device]; known || len(c.writes) < heatDevices {
		c.writes[device]++
		return
	}
	maps.DeleteFunc(c.writes, func(_ string, n int) bool { return n == 1 })
	for other := range c.writes {
		c.writes[other]--
	}
}

// hottest returns the devices with the most writes in the last minute, in descending order (TL-R15).
func (h *heat) hottest(now time.Time) []HotDevice {
	writes, above := h.sum(now.UnixNano() / int64(heatSlot))
	all := make([]HotDevice, 0, len(writes))
	for id, n := range writes {
		d := HotDevice{HardwareID: HardwareID(id), Writes: n, Hot: above[id] >= heatSustained}
		if d.Hot {
			d.Advice = shardingAdvice
		}
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b HotDevice) int {
		return cmp.Or(cmp.Compare(b.Writes, a.Writes), cmp.Compare(a.HardwareID, b.HardwareID))
	})
	return all[:min(len(all), hottestDevices)]
}

// sum adds up the slots of the last minute: writes by device, and the number of slots in which each was above the
// limit.
func (h *heat) sum(number int64) (writes, above map[string]int) {
	writes, above = map[string]int{}, map[string]int{}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, slot := range h.slots {
		if slot.number <= number-heatSlots {
			continue
		}
		for id, n := range slot.writes {
			writes[id] += n
			if n > heatLimit {
				above[id]++
			}
		}
	}
	return writes, above
}
