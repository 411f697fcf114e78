package fleet

import "time"

// Cursor iterates over a plan's events in order of time, without end. Two cursors of one plan return the same events.
type Cursor struct {
	plan        Plan
	boot        *Boot
	boots       int
	firmware    int
	nextReading time.Duration    // time of the next reading
	nextHalfDay int              // index of the next half day to generate
	pending     []plannedFailure // generated events that are still to come
}

// Events returns a cursor at the device's first boot.
func (p Plan) Events() *Cursor {
	return &Cursor{plan: p, firmware: p.firmware, nextReading: p.Phase + p.Interval}
}

// Next returns the next event; the first is always the device's first boot.
func (c *Cursor) Next() Event {
	if c.boot == nil {
		c.restart(plannedFailure{})
		return Event{At: c.plan.Phase, Kind: Booted, Boot: c.boot}
	}
	if h, ok := c.nextFailure(); ok {
		if h.kind == Booted {
			c.restart(h)
		}
		return Event{At: h.at, Kind: h.kind, Boot: c.boot}
	}
	at := c.nextReading
	c.nextReading += c.plan.Interval
	return Event{At: at, Kind: Measured, Boot: c.boot}
}

// nextFailure removes and returns the next event before the next reading, if there is one.
func (c *Cursor) nextFailure() (plannedFailure, bool) {
	for time.Duration(c.nextHalfDay)*halfDay <= c.nextReading {
		for _, h := range c.plan.failures(c.nextHalfDay) {
			if h.at > c.plan.Phase || h.kind == NetworkRestored {
				c.pending = append(c.pending, h)
			}
		}
		c.nextHalfDay++
	}
	if len(c.pending) == 0 || c.pending[0].at > c.nextReading {
		return plannedFailure{}, false
	}
	h := c.pending[0]
	c.pending = c.pending[1:]
	return h, true
}

func (c *Cursor) restart(h plannedFailure) {
	if h.update {
		c.firmware++
	}
	c.boot = c.plan.boot(c.boots, c.firmware, h.crash)
	c.boots++
}
