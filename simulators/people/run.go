package people

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/backend/notification"
	"github.com/tabletop-db/tabletop/simulators/pushgateway"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/simenv"
)

// Lines of the result, besides those of actions.
const (
	actionEnqueue     = "events acknowledged"
	actionQuery       = "worker rounds (query)"
	actionFeed        = "worker rounds (change feed)"
	actionFail        = "failed attempts"
	foundEvent        = "events ended as "
	foundMuted        = "events completed silently (category off)"
	foundEntry        = "notifications as expected"
	foundDevice       = "active devices as expected"
	foundPush         = "pushes delivered once, outside quiet hours or urgent"
	foundRequiredPush = "required pushes delivered"

	unfinishedEvent = "events without a final status"
	wrongEnd        = "events with a wrong final status"
	tooManyDevices  = "people with more than three active devices"
	overRate        = "notifications over the rate limit"
	quietPush       = "pushes in quiet hours"
	wrongPhone      = "pushes to a wrong phone"
	lostPush        = "lost pushes"
)

// Run simulates all people until the time is over or the run is stopped, and reconciles. Faults of the backend are not
// an error of Run: see Result.Err.
func Run(ctx context.Context, cfg Config) (res sim.Result, err error) {
	if err := cfg.Check(); err != nil {
		return res, err
	}
	cfg = cfg.withDefaults()
	env, err := simenv.Open(ctx, "notification", cfg.Config, func(c *backend.Config) { c.Wait = simenv.NoWait })
	if err != nil {
		return res, err
	}
	defer func() { err = errors.Join(err, env.Close()) }()
	r := &run{cfg: cfg, env: env, ledger: newLedger(), byNumber: map[int]*person{}}
	if r.pushes, err = env.PushLog(ctx, cfg.Gateway); err != nil {
		return res, err
	}
	if err := r.play(ctx); err != nil {
		return res, err
	}
	if err := r.reconcile(ctx); err != nil {
		return res, fmt.Errorf("reading back: %w", err)
	}
	return env.Result(ctx, simenv.Summary{
		Simulator: "people", Settings: cfg.settings(), Participants: r.participants(),
		PassMessage: "every event reached one final status, every wanted notification was sent once, " +
			"and no push broke quiet hours",
	}, r.ledger)
}

// run is a simulation in progress.
type run struct {
	cfg    Config
	env    *simenv.Environment
	people []*person
	ledger *sim.Ledger
	pushes *simenv.PushLog

	byNumber map[int]*person // those of the shard
}

// now returns the time of the backend's clock.
func (r *run) now() time.Time { return r.env.Clock.Now() }

// play runs the plans.
func (r *run) play(ctx context.Context) error {
	r.populate()
	end, err := r.env.Runner(r.participants()).Run(ctx, r.actors()...)
	if err != nil {
		return err
	}
	return r.drain(ctx, end)
}

// drainTime is how long the workers continue after the last action: until quiet hours are over and failed pushes were
// retried.
const drainTime = 36 * time.Hour

// drain runs the workers until everything that waits has ended.
func (r *run) drain(ctx context.Context, end time.Duration) error {
	for at := end.Truncate(tick) + tick; at <= end+drainTime; at += tick {
		if err := r.env.Clock.WaitUntil(ctx, at); err != nil {
			return err
		}
		if err := r.work(ctx, int(at/tick)%r.cfg.Workers); err != nil {
			return err
		}
	}
	return nil
}

// populate creates the people. With a backend that persists, they have new names in each run.
func (r *run) populate() {
	prefix := fmt.Sprintf("person%d", r.cfg.Seed)
	if r.env.Embedded == nil {
		prefix += fmt.Sprintf("-%x", time.Now().UnixNano())
	}
	services := r.env.Admin()
	for n := range r.cfg.People {
		if !r.cfg.Shard.Sends(uint64(sim.CircleOf(n, r.cfg.People))) {
			continue
		}
		p := &person{
			run: r, plan: NewPlan(r.cfg.Seed, n, r.cfg.People, r.cfg.Duration), id: fmt.Sprintf("%s-%d", prefix, n),
			service: r.env.Caller(sim.Mix(forService, uint64(n)), services.Credential), reliable: services,
			inbox:       inbox{events: map[notification.ID]*event{}, triggers: map[string]*trigger{}},
			preferences: []preferences{defaultPreferences()}, dismissed: map[notification.ID]notification.Notification{},
		}
		p.caller = r.env.User(sim.Mix(forCaller, uint64(n)), p.id)
		for i := range p.plan.Phones {
			platform := []notification.Platform{notification.FCM, notification.APNs}[(n+i)%2]
			caller := r.env.User(sim.Mix(forCaller, uint64(n), uint64(i)+1), p.id)
			p.phones = append(p.phones, &phone{run: r, id: fmt.Sprintf("%s-phone%d", p.id, i), platform: string(platform),
				caller: caller})
		}
		r.people, r.byNumber[n] = append(r.people, p), p
	}
}

func (r *run) actors() []sim.Actor {
	var all []sim.Actor
	for _, p := range r.people {
		all = append(all, p)
	}
	for n := range r.cfg.Workers {
		all = append(all, &worker{run: r, number: n, last: r.cfg.Duration})
	}
	if e := r.env.Embedded; e != nil {
		all = append(all, &simenv.PushFaults{
			Gateway: e.Gateway, Seed: r.cfg.Seed, At: 5*tick + 30*time.Minute, Every: tick, Until: r.cfg.Duration - day/2,
			Services: []string{pushgateway.FCM, pushgateway.APNs}, MaxFailures: 45,
		})
	}
	return all
}

// participants returns who is simulated.
func (r *run) participants() sim.Participants {
	var phones int
	for _, p := range r.people {
		phones += len(p.phones)
	}
	return sim.Participants{{Name: "people", N: int64(len(r.people))}, {Name: "phones", N: int64(phones)}}
}

func newLedger() *sim.Ledger {
	var actions []string
	for k := range kindCount {
		actions = append(actions, k.label())
	}
	var checks []string
	for _, status := range []notification.Status{notification.Completed, notification.RateLimited,
		notification.Deduplicated, notification.Failed} {
		checks = append(checks, foundEvent+string(status))
	}
	return sim.NewLedger(append(actions, actionEnqueue, actionQuery, actionFeed, actionFail),
		append(checks, foundMuted, foundEntry, foundRequiredPush, foundPush, foundDevice),
		append(sim.CompareFaults(), unfinishedEvent, wrongEnd, overRate, tooManyDevices, quietPush, wrongPhone, lostPush))
}
