package fleet

import "time"

// Cursor iterates over a plan's events in order of time, without end. Two cursors of one plan return the same events.
type Cursor struct {
	plan     Plan
	boot     *Boot
	boots    int
	firmware int
	reading  time.Duration // time of the next reading
	half     int           // index of the next half day to generate
	ahead    []happening   // generated events that are still to come
}

// Events returns a cursor at the device's first boot.
func (p Plan) Events() *Cursor {
	return &Cursor{plan: p, firmware: p.firmware, reading: p.Phase + p.Interval}
}

// Next returns the next event; the first is always the device's first boot.
func (c *Cursor) Next() Event {
	if c.boot == nil {
		c.restart(happening{})
		return Event{At: c.plan.Phase, Kind: Booted, Boot: c.boot}
	}
	if h, ok := c.happening(); ok {
		if h.kind == Booted {
			c.restart(h)
		}
		return Event{At: h.at, Kind: h.kind, Boot: c.boot}
	}
	at := c.reading
	c.reading += c.plan.Interval
	return Event{At: at, Kind: Measured, Boot: c.boot}
}

// happening removes and returns the next event before the next reading, if there is one.
func (c *Cursor) happening() (happening, bool) {
	for time.Duration(c.half)*halfDay <= c.reading {
		for _, h := range c.plan.happenings(c.half) {
			if h.at > c.plan.Phase || h.kind == NetworkFound {
				c.ahead = append(c.ahead, h)
			}
		}
		c.half++
	}
	if len(c.ahead) == 0 || c.ahead[0].at > c.reading {
		return happening{}, false
	}
	h := c.ahead[0]
	c.ahead = c.ahead[1:]
	return h, true
}

func (c *Cursor) restart(h happening) {
	if h.update {
		c.firmware++
	}
	c.boot = c.plan.boot(c.boots, c.firmware, h.crash)
	c.boots++
}
