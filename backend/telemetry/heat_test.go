package telemetry

import (
	"fmt"
	"testing"
	"time"
)

// TestHeatIsBounded counts far more devices than a slot holds: the memory stays bounded, and the device with the most
// writes is still the hottest.
func TestHeatIsBounded(t *testing.T) {
	t.Parallel()
	var h heat
	now := time.Date(2026, 2, 3, 10, 30, 0, 0, time.UTC)
	for i := range 3 * heatDevices {
		h.add(now, fmt.Sprint(i))
		h.add(now, "hot")
	}
	for _, slot := range h.slots {
		if len(slot.writes) > heatDevices {
			t.Errorf("a slot holds %d devices", len(slot.writes))
		}
	}
	// Misra-Gries: too low by at most 1 in heatDevices of all writes, here 6.
	if got := h.hottest(now); len(got) == 0 || got[0].HardwareID != "hot" || got[0].Writes < 3*heatDevices-6 {
		t.Errorf("%+v", got)
	}
}
