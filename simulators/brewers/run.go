package brewers

import (
	"context"
	"errors"
	"time"

	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/simenv"
)

// Run simulates all brewers until the time is over or the run is stopped, and reads back the result. Faults of the
// backend are not an error of Run: see Result.Err.
func Run(ctx context.Context, cfg Config) (res sim.Result, err error) {
	if err := cfg.Check(); err != nil {
		return res, err
	}
	cfg = cfg.withDefaults()
	env, err := simenv.Open(ctx, "kefir", cfg.Config, nil)
	if err != nil {
		return res, err
	}
	defer func() { err = errors.Join(err, env.Close()) }()
	s, err := play(ctx, env, cfg)
	if err != nil {
		return res, err
	}
	return s.compareAll(ctx, env)
}

// play runs the plans.
func play(ctx context.Context, env *simenv.Environment, cfg Config) (*simulation, error) {
	s, actors, err := setUp(env, cfg)
	if err != nil {
		return nil, err
	}
	_, err = env.Runner(s.participants()).Run(ctx, actors...)
	return s, err
}

// compareAll compares everything with what was done.
func (s *simulation) compareAll(ctx context.Context, env *simenv.Environment) (sim.Result, error) {
	if err := s.reconcile(ctx); err != nil {
		return sim.Result{}, err
	}
	if env.Embedded != nil {
		s.compareMessages(env.Embedded.Gateway.Deliveries(0, 0))
		if err := s.compareTable(ctx, env.Embedded); err != nil {
			return sim.Result{}, err
		}
	}
	return env.Result(ctx, simenv.Summary{
		Simulator: "brewers", Settings: s.cfg.settings(), Participants: s.participants(),
		PassMessage: "all data is as expected, and every due reminder was sent exactly once",
	}, s.ledger)
}

func (s *simulation) participants() sim.Participants {
	return sim.Participants{{Name: "brewers", N: int64(len(s.brewers))}}
}

// setUp creates the brewers and, for a backend in this process, the schedulers.
func setUp(env *simenv.Environment, cfg Config) (*simulation, []sim.Actor, error) {
	s := &simulation{cfg: cfg, clock: env.Clock, ledger: newLedger(env.Embedded != nil),
		newPushToken: fakeTokens(cfg.Seed), byNumber: map[int]*brewer{}}
	var actors []sim.Actor
	for n := range cfg.Brewers {
		if !cfg.Shard.Sends(uint64(sim.CircleOf(n, cfg.Brewers))) {
			continue
		}
		plan := NewPlan(cfg.Seed, n, cfg.Duration)
		b := newBrewer(s, n, plan, env.User(sim.Mix(forCaller, uint64(n)), plan.UserID))
		s.brewers, s.byNumber[n] = append(s.brewers, b), b
		actors = append(actors, b)
	}
	if env.Embedded == nil {
		return s, actors, nil
	}
	s.schedulers = cfg.Schedulers
	s.newPushToken = gatewayTokens(env.Embedded.Gateway)
	actors = append(actors, &simenv.PushFaults{Gateway: env.Embedded.Gateway, Seed: cfg.Seed, At: 4*tick - time.Minute,
		Every: tick, Until: cfg.Duration})
	for range cfg.Schedulers {
		s, err := newScheduler(env.Embedded, cfg.Duration)
		if err != nil {
			return nil, nil, err
		}
		actors = append(actors, s)
	}
	return s, actors, nil
}

// newLedger returns a ledger whose lines have the order of the result.
func newLedger(embedded bool) *sim.Ledger {
	var actions []string
	for k := range kindCount {
		if label := k.label(); label != "" {
			actions = append(actions, label)
		}
	}
	var checks []string
	for _, what := range []string{profiles, "batches", "events", "reminders", "phones", lines, timelines} {
		checks = append(checks, what+" as expected")
	}
	checks = append(checks, emptyAccounts)
	if embedded {
		checks = append(checks, messages+" as expected", items)
	}
	return sim.NewLedger(actions, checks, append(sim.CompareFaults(), WrongVisibility))
}

// The labels of the counts in the result.
const (
	profiles      = "profiles"
	lines         = "export lines"
	timelines     = "reads during the run"
	emptyAccounts = "deleted accounts without data left"
	messages      = "push messages"
	items         = "expected items in the table"
)
