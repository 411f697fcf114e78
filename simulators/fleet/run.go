package fleet

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

// Run plays a fleet against a backend until its duration is over or the context ends, delivers what is left, and
// reconciles. If the context ends first, the result has the counts so far, not reconciled, and the error is the
// context's. Faults of the backend are not an error of Run: see Result.Err.
func Run(ctx context.Context, cfg Config) (Result, error) {
	began := time.Now()
	cfg = cfg.withDefaults(began)
	if err := cfg.validate(); err != nil {
		return Result{}, err
	}
	r := &run{cfg: cfg, clock: sim.Pace{Start: cfg.Start, RealStart: began, Speed: cfg.Speed},
		sender: &sender{start: cfg.Start, retrier: sim.Retrier{Backend: cfg.BaseURL, Timeout: cfg.RetryTimeout}}}
	keys, err := newKeyring(ctx, r)
	if err != nil {
		return Result{}, err
	}
	res, err := r.playAndReadBack(ctx, keys, began)
	if err == nil {
		err = cfg.checkInvariants(ctx, &res)
	}
	res.WallSeconds = time.Since(began).Seconds()
	return res, err
}

// run is a run in progress. Its loop, in Run's goroutine, owns everything but the sender.
type run struct {
	cfg      Config
	clock    sim.Pace
	sender   *sender
	devices  []*device
	schedule schedule
	ready    []*device // devices that may have something to send, in order
	now      time.Duration
	inFlight int
	draining bool // simulated time is over; what is buffered is delivered
	stopped  bool // before simulated time was over
	tally    tally
	rate     sim.Rate

	readBackDone int // devices reconciled
}

// playAndReadBack plays the fleet and reads everything back.
func (r *run) playAndReadBack(ctx context.Context, keys *keyring, began time.Time) (Result, error) {
	defer keys.revoke(ctx)
	r.populate(keys)
	if err := r.play(ctx); err != nil {
		return r.result(time.Since(began)), err
	}
	res := r.result(time.Since(began))
	if err := reconcile(ctx, r, &res); err != nil {
		return res, fmt.Errorf("reading back: %w", err)
	}
	return res, nil
}

// checkInvariants adds to a result what holds in the database.
func (c *Config) checkInvariants(ctx context.Context, res *Result) error {
	if c.Invariants == nil {
		return nil
	}
	checked, broken, err := c.Invariants(ctx)
	if err != nil {
		return fmt.Errorf("checking invariants: %w", err)
	}
	res.Invariants, res.BrokenInvariants = checked-len(broken), len(broken)
	for _, b := range broken {
		res.AddFault("broken invariant: " + b)
	}
	return nil
}

func (r *run) populate(keys *keyring) {
	for i, n := range r.cfg.numbers() {
		plan := NewPlan(r.cfg.Seed, n, r.cfg.Interval, *r.cfg.FailureRates)
		d := newDevice(plan, keys.client(i))
		r.devices = append(r.devices, d)
		r.schedule.push(entry{at: d.next.At, device: d})
	}
}

// play runs the loop with its senders, and waits for the senders to end.
func (r *run) play(ctx context.Context) error {
	jobs := make(chan job)
	responses := make(chan response, r.cfg.Concurrency)
	var senders sync.WaitGroup
	for range r.cfg.Concurrency {
		senders.Go(func() { r.sender.serve(ctx, jobs, responses) })
	}
	err := r.loop(ctx, jobs, responses)
	close(jobs)
	senders.Wait()
	return err
}
