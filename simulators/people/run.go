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
	"github.com/tabletop-db/tabletop/simulators/venue"
)

// Lines of the result, besides those of deeds.
const (
	didEnqueue  = "events acknowledged"
	didQuery    = "worker rounds (query)"
	didFeed     = "worker rounds (change feed)"
	didFail     = "failed attempts"
	foundEvent  = "events ended as "
	foundMuted  = "events completed silently (category off)"
	foundEntry  = "notifications as expected"
	foundDevice = "active devices as expected"
	foundPush   = "pushes delivered once, outside quiet hours or urgent"
	foundHeard  = "required pushes delivered"

	unfinished = "events without a final status"
	wrongEnd   = "events with a wrong final status"
	tooMany    = "people with more than three active devices"
	overRate   = "notifications over the rate limit"
	sleepless  = "pushes in quiet hours"
	wrongPhone = "pushes to a wrong phone"
	lostPush   = "lost pushes"
)

// Run simulates all people until the time is over or the run is stopped, and reconciles. Faults of the backend are not
// an error of Run: see Result.Err.
func Run(ctx context.Context, cfg Config) (res sim.Result, err error) {
	if err := cfg.Check(); err != nil {
		return res, err
	}
	cfg = cfg.withDefaults()
	v, err := venue.Open(ctx, "notification", cfg.Config, func(c *backend.Config) { c.Wait = venue.NoPause })
	if err != nil {
		return res, err
	}
	defer func() { err = errors.Join(err, v.Close()) }()
	r := &run{cfg: cfg, venue: v, ledger: newLedger()}
	if r.pushes, err = v.Pushes(ctx, cfg.Gateway); err != nil {
		return res, err
	}
	if err := r.play(ctx); err != nil {
		return res, err
	}
	if err := r.reconcile(ctx); err != nil {
		return res, fmt.Errorf("reading back: %w", err)
	}
	return v.Result(r.who(),
		"every event reached one final status, every wanted notification was sent once, and no push broke quiet hours",
		r.ledger), nil
}

// run is a simulation in progress.
type run struct {
	cfg    Config
	venue  *venue.Venue
	people []*person
	ledger *sim.Ledger
	pushes *venue.Pushes
}

// now returns the time of the backend's clock.
func (r *run) now() time.Time { return r.venue.Clock.Now() }

// play runs the plans.
func (r *run) play(ctx context.Context) error {
	r.populate()
	end, err := r.venue.Stage(r.who()).Play(ctx, r.actors()...)
	if err != nil {
		return err
	}
	return r.wind(ctx, end)
}

// afterwards is how long the workers continue after the last deed: until quiet hours are over and failed pushes were
// retried.
const afterwards = 36 * time.Hour

// wind runs the workers until everything that waits has ended.
func (r *run) wind(ctx context.Context, end time.Duration) error {
	for at := end.Truncate(tick) + tick; at <= end+afterwards; at += tick {
		if err := r.venue.Clock.Reach(ctx, at); err != nil {
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
	if r.venue.Embedded == nil {
		prefix += fmt.Sprintf("-%x", time.Now().UnixNano())
	}
	services := r.venue.Admin()
	for n := range r.cfg.People {
		p := &person{
			run: r, plan: NewPlan(r.cfg.Seed, n, r.cfg.People, r.cfg.Duration), id: fmt.Sprintf("%s-%d", prefix, n),
			service: r.venue.Caller(sim.Mix(forService, uint64(n)), services.Credential), patient: services,
			inbox:  inbox{events: map[notification.ID]*event{}, things: map[string]*happening{}},
			wishes: []wish{defaults()}, dismissed: map[notification.ID]notification.Notification{},
		}
		p.caller = r.venue.Person(sim.Mix(forCaller, uint64(n)), p.id)
		for i := range p.plan.Phones {
			platform := []notification.Platform{notification.FCM, notification.APNs}[(n+i)%2]
			caller := r.venue.Person(sim.Mix(forCaller, uint64(n), uint64(i)+1), p.id)
			p.phones = append(p.phones, &phone{run: r, id: fmt.Sprintf("%s-phone%d", p.id, i), platform: string(platform),
				caller: caller})
		}
		r.people = append(r.people, p)
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
	if e := r.venue.Embedded; e != nil {
		all = append(all, &venue.BadDays{
			Gateway: e.Gateway, Seed: r.cfg.Seed, At: 5*tick + 30*time.Minute, Every: tick, Last: r.cfg.Duration - day/2,
			Services: []string{pushgateway.FCM, pushgateway.APNs}, Longest: 45,
		})
	}
	return all
}

// who describes who is simulated.
func (r *run) who() string {
	var phones int
	for _, p := range r.people {
		phones += len(p.phones)
	}
	return fmt.Sprintf("%d people with %d phones", len(r.people), phones)
}

func newLedger() *sim.Ledger {
	var did []string
	for k := range kinds {
		did = append(did, k.did())
	}
	var found []string
	for _, status := range []notification.Status{notification.Completed, notification.RateLimited,
		notification.Deduplicated, notification.Failed} {
		found = append(found, foundEvent+string(status))
	}
	return sim.NewLedger(append(did, didEnqueue, didQuery, didFeed, didFail),
		append(found, foundMuted, foundEntry, foundHeard, foundPush, foundDevice),
		append(sim.Faults(), unfinished, wrongEnd, overRate, tooMany, sleepless, wrongPhone, lostPush))
}
