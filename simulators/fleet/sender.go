package fleet

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/telemetryapi"
)

// job is a request of a device: its registration on a boot, or some of its readings.
type job struct {
	device   *device
	at       time.Duration
	boot     *Boot
	register bool
	samples  []*reading
}

// response is the response to a job. An error ends the run.
type response struct {
	job
	registered telemetryapi.Device
	ack        telemetryapi.Ack
	err        error
}

// sender performs jobs. It accesses only those parts of a device that never change.
type sender struct {
	start   time.Time
	retrier sim.Retrier

	sent atomic.Int64 // readings in the requests attempted
}

// serve performs jobs until there are no more. REQUIRES: responses has room for one response of each sender.
func (s *sender) serve(ctx context.Context, jobs <-chan job, responses chan<- response) {
	for j := range jobs {
		responses <- s.perform(ctx, j)
	}
}

func (s *sender) perform(ctx context.Context, j job) response {
	a := response{job: j}
	d := j.device
	if j.register {
		a.err = s.withRetries(ctx, func() (err error) {
			a.registered, err = d.client.Register(ctx, d.plan.Registration(j.boot))
			return err
		})
		return a
	}
	readings := make([]telemetryapi.Reading, len(j.samples))
	for i, m := range j.samples {
		readings[i] = d.plan.Reading(s.start, m.at, m.boot)
	}
	a.err = s.withRetries(ctx, func() (err error) {
		s.sent.Add(int64(len(readings)))
		a.ack, err = d.client.Send(ctx, readings)
		return err
	})
	if a.err == nil {
		a.err = checkAck(readings, a.ack)
	}
	return a
}

// withRetries retries a call whose failure may be transient, until the retry timeout.
func (s *sender) withRetries(ctx context.Context, call func() error) error {
	err := s.retrier.Do(ctx, call)
	if sim.IsUnauthorized(err) {
		return fmt.Errorf("the backend at %s rejects the credential: use its admin token or a valid API key",
			s.retrier.Backend)
	}
	return err
}

// checkAck checks the backend's contract: one outcome for each reading, in the order of the request.
func checkAck(readings []telemetryapi.Reading, ack telemetryapi.Ack) error {
	if len(ack.Results) != len(readings) {
		return fmt.Errorf("the backend returned %d results for %d readings", len(ack.Results), len(readings))
	}
	for i, r := range ack.Results {
		if r.BatchID != readings[i].BatchID {
			return fmt.Errorf("the backend returned a result for %s instead of %s", r.BatchID, readings[i].BatchID)
		}
	}
	return nil
}
