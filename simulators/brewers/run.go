package brewers

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/venue"
)

// Run simulates all brewers until the time is over or the run is stopped, and reads back the result. Faults of the
// backend are not an error of Run: see Result.Err.
func Run(ctx context.Context, cfg Config) (res sim.Result, err error) {
	if err := cfg.Check(); err != nil {
		return res, err
	}
	cfg = cfg.withDefaults()
	v, err := venue.Open(ctx, "kefir", cfg.Config, nil)
	if err != nil {
		return res, err
	}
	defer func() { err = errors.Join(err, v.Close()) }()
	t, err := play(ctx, v, cfg)
	if err != nil {
		return res, err
	}
	return t.reckon(ctx, v)
}

// play runs the plans.
func play(ctx context.Context, v *venue.Venue, cfg Config) (*town, error) {
	t, actors, err := settle(v, cfg)
	if err != nil {
		return nil, err
	}
	_, err = v.Stage(t.who()).Play(ctx, actors...)
	return t, err
}

// reckon compares everything with what was done.
func (t *town) reckon(ctx context.Context, v *venue.Venue) (sim.Result, error) {
	if err := t.reconcile(ctx); err != nil {
		return sim.Result{}, err
	}
	if v.Embedded != nil {
		t.compareMessages(v.Embedded.Gateway.Deliveries(0, 0))
		if err := t.compareTable(ctx, v.Embedded); err != nil {
			return sim.Result{}, err
		}
	}
	return v.Result(t.who(), "all data is as expected, and every due reminder was sent exactly once", t.ledger), nil
}

func (t *town) who() string { return fmt.Sprintf("%d brewers", len(t.brewers)) }

// settle creates the brewers and, for a backend in this process, the schedulers.
func settle(v *venue.Venue, cfg Config) (*town, []sim.Actor, error) {
	t := &town{clock: v.Clock, ledger: newLedger(v.Embedded != nil), push: madeUp(cfg.Seed)}
	var actors []sim.Actor
	for n := range cfg.Brewers {
		plan := NewPlan(cfg.Seed, n, cfg.Duration)
		b := newBrewer(t, plan, v.Person(sim.Mix(forCaller, uint64(n)), plan.UserID))
		t.brewers = append(t.brewers, b)
		actors = append(actors, b)
	}
	if v.Embedded == nil {
		return t, actors, nil
	}
	t.schedulers = cfg.Schedulers
	t.push = installed(v.Embedded.Gateway)
	actors = append(actors, &venue.BadDays{Gateway: v.Embedded.Gateway, Seed: cfg.Seed, At: 4*tick - time.Minute,
		Every: tick, Last: cfg.Duration})
	for range cfg.Schedulers {
		s, err := newScheduler(v.Embedded, cfg.Duration)
		if err != nil {
			return nil, nil, err
		}
		actors = append(actors, s)
	}
	return t, actors, nil
}

// newLedger returns a ledger whose lines have the order of the result.
func newLedger(embedded bool) *sim.Ledger {
	var did []string
	for k := range kinds {
		if said := k.did(); said != "" {
			did = append(did, said)
		}
	}
	var found []string
	for _, what := range []string{profiles, "batches", "events", "reminders", "phones", lines, timelines} {
		found = append(found, what+" as expected")
	}
	found = append(found, gone)
	if embedded {
		found = append(found, messages+" as expected", items)
	}
	return sim.NewLedger(did, found, append(sim.Faults(), Shown))
}

// What was found at the end, in the words of the result.
const (
	profiles  = "profiles"
	lines     = "export lines"
	timelines = "reads during the run"
	gone      = "deleted accounts without data left"
	messages  = "push messages"
	items     = "expected items in the table"
)
