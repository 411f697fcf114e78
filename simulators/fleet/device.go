package fleet

import (
	"time"

	"github.com/tabletop-db/tabletop/simulators/telemetryapi"
)

// reading is a reading that was made; its content follows from the plan.
type reading struct {
	at     time.Duration
	boot   *Boot
	acked  bool // as far as the device remembers
	stored int  // how often the backend reported it as stored; more than once is a fault of the backend
}

// device is the state of a simulated device. Only the run's loop accesses it.
type device struct {
	plan   Plan
	events *Cursor
	next   Event
	client *telemetryapi.Client

	now            time.Duration // time of its last event; the run may be further
	boot           *Boot         // nil until it is switched on
	offline        bool
	registered     bool // since this boot
	confirmationID string
	buffer         []*reading // not acknowledged, oldest first
	lastAcked      []*reading // acknowledged by the last response, which a crash forgets

	busy         bool          // a request is in progress
	responseLost bool          // its response will be lost, because the device has rebooted or lost the network since
	attempt      int           // number of responses lost in a row
	retryAt      time.Duration // when it sends again; 0 when it is not waiting
}

func newDevice(p Plan, c *telemetryapi.Client) *device {
	d := &device{plan: p, events: p.Events(), client: c}
	d.next = d.events.Next()
	return d
}

// apply applies the device's next event.
func (d *device) apply() Event {
	e := d.next
	d.next = d.events.Next()
	switch e.Kind {
	case Booted:
		d.reboot(e.Boot)
	case NetworkLost:
		d.offline, d.responseLost = true, d.busy
	case NetworkRestored:
		d.offline, d.retryAt = false, 0
	case Measured:
		d.buffer = append(d.buffer, &reading{at: e.At, boot: e.Boot})
	}
	return e
}

// reboot keeps the buffer, which is in flash memory, and forgets what was only in RAM.
func (d *device) reboot(b *Boot) {
	d.boot, d.registered, d.retryAt, d.responseLost = b, false, 0, d.busy
	if b.Crashed {
		for _, s := range d.lastAcked {
			s.acked = false
		}
		d.buffer = append(d.lastAcked, d.buffer...)
	}
	d.lastAcked = nil
}

// nextJob returns what the device would send now, if anything.
func (d *device) nextJob() (job, bool) {
	if d.boot == nil || d.offline || d.busy || d.retryAt > 0 {
		return job{}, false
	}
	if !d.registered {
		return job{device: d, at: d.now, boot: d.boot, register: true}, true
	}
	if len(d.buffer) == 0 {
		return job{}, false
	}
	n := min(len(d.buffer), telemetryapi.MaxReadings)
	batch := d.buffer[:n]
	if d.plan.NewestFirst {
		batch = d.buffer[len(d.buffer)-n:]
	}
	return job{device: d, at: d.now, boot: d.boot, samples: append([]*reading(nil), batch...)}, true
}

// receives reports whether the response reaches the device, which depends on the plan and on events since the request.
func (d *device) receives(j job, start time.Time) bool {
	if d.responseLost {
		return false
	}
	id := j.boot.ID
	if len(j.samples) > 0 {
		id = d.plan.batchID(start.Add(j.samples[0].at+j.samples[0].boot.Skew).UnixMilli(), j.samples[0].boot)
	}
	return !d.plan.ResponseLost(id, d.attempt)
}

// handleResponse processes a response that was received: every status is final, even a rejection.
func (d *device) handleResponse(j job) {
	d.attempt = 0
	if j.register {
		d.registered = true
		return
	}
	for _, s := range j.samples {
		s.acked = true
	}
	d.lastAcked = j.samples
	var left []*reading
	for _, s := range d.buffer {
		if !s.acked {
			left = append(left, s)
		}
	}
	d.buffer = left
}
