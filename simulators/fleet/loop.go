package fleet

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/tabletop-db/tabletop/simulators/telemetryapi"
)

// loop applies events as they fall due and passes requests to the senders, until nothing is left to do.
func (r *run) loop(ctx context.Context, jobs chan<- job, responses <-chan response) error {
	tick := time.NewTicker(r.cfg.ProgressInterval)
	defer tick.Stop()
	due := time.NewTimer(0)
	defer due.Stop()
	for !r.finished() {
		if r.advance(time.Now()) {
			continue
		}
		if err := r.waitForNext(ctx, jobs, responses, due, tick); err != nil {
			return err
		}
	}
	r.report(time.Now())
	return nil
}

func (r *run) finished() bool { return r.draining && r.inFlight == 0 && len(r.ready) == 0 }

// advance applies the next event if it is due. While requests wait for a sender, simulated time stands still.
func (r *run) advance(now time.Time) bool {
	if len(r.ready) > 0 || r.draining {
		return false
	}
	first := r.schedule[0]
	over := r.cfg.Duration > 0 && first.at > r.cfg.Duration
	switch {
	case r.unpaced() && (first.device.busy || over && r.inFlight > 0):
		// Without waiting, a device would outrun its own responses; so it waits for them, which makes the run exactly
		// repeatable.
		return false
	case over:
		r.startDraining()
	case r.clock.Wait(first.at, now) > 0:
		return false
	default:
		r.apply(r.schedule.pop())
	}
	return true
}

// unpaced reports whether simulated time advances as fast as the backend responds.
func (r *run) unpaced() bool { return math.IsInf(r.cfg.Speed, 1) }

func (r *run) apply(e entry) {
	r.now = max(r.now, e.at)
	d := e.device
	d.now = e.at
	if e.retry {
		if d.retryAt == e.at {
			d.retryAt = 0
		}
	} else {
		r.tally.countEvent(d.apply())
		r.schedule.push(entry{at: d.next.At, device: d})
	}
	r.enqueue(d)
}

// stop ends the run now. Other events of the same time still happen, so that plans can be replayed.
func (r *run) stop() {
	r.cfg.Stop, r.stopped = nil, true
	r.cfg.Duration = max(r.now, time.Nanosecond) // 0 would mean no end
}

// startDraining brings every device back online, without further readings.
func (r *run) startDraining() {
	r.draining, r.now = true, r.cfg.Duration
	for _, d := range r.devices {
		d.now, d.offline, d.retryAt = r.now, false, 0
		r.enqueue(d)
	}
}

// enqueue queues a device if it has something to send.
func (r *run) enqueue(d *device) {
	if _, ok := d.nextJob(); ok {
		r.ready = append(r.ready, d)
	}
}

// nextJob returns the next request to send, and removes devices that have none.
func (r *run) nextJob() (job, bool) {
	for ; len(r.ready) > 0; r.ready = r.ready[1:] {
		if j, ok := r.ready[0].nextJob(); ok {
			return j, true
		}
	}
	return job{}, false
}

// waitForNext waits for the next of three: a sender is free, a response has arrived, or time has passed.
func (r *run) waitForNext(ctx context.Context, jobs chan<- job, responses <-chan response, due *time.Timer,
	tick *time.Ticker) error {
	j, waiting := r.nextJob()
	if !waiting {
		jobs = nil
		if r.finished() {
			return nil
		}
		r.resetTimer(due)
	}
	select {
	case jobs <- j:
		j.device.busy = true
		r.inFlight++
		r.ready = r.ready[1:]
	case a := <-responses:
		return r.handleResponse(a)
	case <-due.C:
	case now := <-tick.C:
		r.report(now)
	case <-r.cfg.Stop:
		r.stop()
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// resetTimer sets the timer to the next event, unless only responses can advance the run.
func (r *run) resetTimer(due *time.Timer) {
	due.Stop()
	if !r.draining && !r.unpaced() {
		due.Reset(r.clock.Wait(r.schedule[0].at, time.Now()))
	}
}

// handleResponse processes the response to a request. What the backend did is counted even if the device does not
// receive the response.
func (r *run) handleResponse(a response) error {
	d := a.device
	r.inFlight--
	d.busy = false
	if a.err != nil {
		return a.err
	}
	if a.register {
		if err := d.checkConfirmationID(a.registered); err != nil {
			return err
		}
	}
	r.tally.countResponse(a)
	switch {
	case d.receives(a.job, r.cfg.Start):
		d.handleResponse(a.job)
	case d.responseLost:
		r.tally.ResponsesLost++
	default:
		r.tally.ResponsesLost++
		r.retry(d, a.at)
	}
	d.responseLost = false
	r.enqueue(d)
	return nil
}

// retry schedules the device to send again: 15 s after the first lost response, then 30 s, then a minute.
func (r *run) retry(d *device, sent time.Duration) {
	d.attempt++
	if r.draining {
		return
	}
	d.retryAt = sent + 15*time.Second<<(d.attempt-1)
	r.schedule.push(entry{at: d.retryAt, device: d, retry: true})
}

// checkConfirmationID checks that the backend returns the same confirmation id on each boot of the device.
func (d *device) checkConfirmationID(as telemetryapi.Device) error {
	if d.confirmationID != "" && as.ConfirmationID != d.confirmationID {
		return fmt.Errorf("device %s had the confirmation id %s and now has %s: a re-registration must keep it",
			d.plan.HardwareID, d.confirmationID, as.ConfirmationID)
	}
	d.confirmationID = as.ConfirmationID
	return nil
}
