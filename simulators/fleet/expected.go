package fleet

import (
	"slices"

	"github.com/tabletop-db/tabletop/simulators/telemetryapi"
)

// expectedReadings replays a device's plan and returns the readings of the whole run, except those that the backend
// rejected, in slices of time by the device's clock.
type expectedReadings struct {
	run    *run
	plan   Plan
	events *Cursor
	next   Event
	ahead  []Event // measured, and not in a slice yet: clocks are wrong
}

func (r *run) expectedReadings(d *device) *expectedReadings {
	events := d.plan.Events()
	return &expectedReadings{run: r, plan: d.plan, events: events, next: events.Next()}
}

// until returns the next readings up to a time in epoch milliseconds, inclusive, by batch id.
func (x *expectedReadings) until(to int64) map[string]telemetryapi.Reading {
	start := x.run.cfg.Start
	for ; x.next.At <= x.run.now && start.Add(x.next.At-clockMargin).UnixMilli() <= to; x.next = x.events.Next() {
		if x.next.Kind == Measured {
			x.ahead = append(x.ahead, x.next)
		}
	}
	readings := map[string]telemetryapi.Reading{}
	x.ahead = slices.DeleteFunc(x.ahead, func(e Event) bool {
		if start.Add(e.At+e.Boot.Skew).UnixMilli() > to {
			return false
		}
		reading := x.plan.Reading(start, e.At, e.Boot)
		if !x.run.tally.rejected[reading.BatchID] {
			readings[reading.BatchID] = reading
		}
		return true
	})
	return readings
}
