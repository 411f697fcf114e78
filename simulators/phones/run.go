package phones

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/venue"
)

// Lines of the result.
const (
	didInstall     = "app installations"
	didOpen        = "app launches"
	didRegister    = "registrations of new devices"
	didRefresh     = "device refreshes"
	didExpire      = "registrations after expiry"
	didCheck       = "reads of a device"
	didRotate      = "tokens rotated"
	didLogOut      = "logouts"
	didUninstall   = "app removals"
	didRemove      = "devices removed"
	didDelete      = "account deletions"
	didJob         = "jobs completed"
	didSent        = "pushes reported as sent"
	didDeactivated = "devices deactivated for an unregistered token"
	foundGone      = "devices removed as expected"
	foundPush      = "pushes delivered once"
	lostPush       = "lost pushes"
	wrongPhone     = "pushes to a wrong phone"
)

// Run simulates all users until the time is over or the run is stopped, and reconciles. Faults of the backend are not
// an error of Run: see Result.Err.
func Run(ctx context.Context, cfg Config) (res sim.Result, err error) {
	if err := cfg.Check(); err != nil {
		return res, err
	}
	cfg = cfg.withDefaults()
	v, err := venue.Open(ctx, "devicetoken", cfg.Config, func(c *backend.Config) { c.Wait = venue.NoPause })
	if err != nil {
		return res, err
	}
	defer func() { err = errors.Join(err, v.Close()) }()
	r := &run{cfg: cfg, venue: v, told: map[string]told{}, ledger: newLedger()}
	if r.pushes, err = v.Pushes(ctx, cfg.Gateway); err != nil {
		return res, err
	}
	if err := r.play(ctx); err != nil {
		return res, err
	}
	if err := r.reconcile(ctx); err != nil {
		return res, fmt.Errorf("reading back: %w", err)
	}
	return v.Result(r.who(), "every device is as expected, and every push reached its phones exactly once", r.ledger), nil
}

// play runs the plans.
func (r *run) play(ctx context.Context) error {
	prefix := r.prefix()
	if err := r.probe(ctx, prefix); err != nil {
		return err
	}
	r.populate(prefix)
	end, err := r.venue.Stage(r.who()).Play(ctx, r.actors()...)
	if err != nil || !r.venue.Clock.Moves() {
		return err
	}
	return r.venue.Clock.Reach(ctx, end+time.Second) // so that nothing expires in the second of the reconciliation
}

func newLedger() *sim.Ledger {
	return sim.NewLedger(
		[]string{didInstall, didOpen, didRegister, didRefresh, didExpire, didCheck, didRotate, didLogOut, didUninstall,
			didRemove, didDelete,
			didJob, didSent, didDeactivated},
		[]string{"devices as expected", "devices in push lists as expected", foundGone, foundPush},
		append(sim.Faults(), lostPush, wrongPhone))
}

// run is a simulation in progress.
type run struct {
	cfg    Config
	venue  *venue.Venue
	users  []*user
	ledger *sim.Ledger
	pushes *venue.Pushes

	mu   sync.Mutex
	told map[string]told
}

// prefix returns the prefix of the users' names. With a backend that persists, it is new in each run.
func (r *run) prefix() string {
	prefix := fmt.Sprintf("user%d", r.cfg.Seed)
	if r.venue.Embedded == nil {
		prefix += fmt.Sprintf("-%x", time.Now().UnixNano())
	}
	return prefix
}

// populate creates the users.
func (r *run) populate(prefix string) {
	for n := range r.cfg.Users {
		u := &user{run: r, plan: NewPlan(r.cfg.Seed, n, r.cfg.Duration), id: fmt.Sprintf("%s-%d", prefix, n)}
		caller := func(number int) *sim.Caller {
			return r.venue.Person(sim.Mix(forCaller, uint64(n), uint64(number)), u.id)
		}
		u.caller = caller(0)
		for i, platform := range u.plan.Platforms {
			u.phones = append(u.phones, &phone{
				run: r, id: fmt.Sprintf("%s-%s%d", u.id, platform, i), platform: platform,
				caller: caller(2*i + 1), twin: caller(2*i + 2), noticed: map[string]bool{},
			})
		}
		r.users = append(r.users, u)
	}
}

func (r *run) actors() []sim.Actor {
	var all []sim.Actor
	for _, u := range r.users {
		all = append(all, u)
	}
	if e := r.venue.Embedded; e != nil {
		all = append(all, &venue.BadDays{Gateway: e.Gateway, Seed: r.cfg.Seed, At: day, Every: time.Hour,
			Last: r.cfg.Duration})
	}
	return all
}

// now returns the time of the backend's clock.
func (r *run) now() time.Time { return r.venue.Clock.Now() }

// strict reports whether expired items are deleted within the second, as on an emulator whose clock is moved.
func (r *run) strict() bool { return r.venue.Embedded != nil }

// tell records a push and its recipients.
func (r *run) tell(id string, t told) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.told[id] = t
}

// who describes who is simulated.
func (r *run) who() string {
	var phones int
	for _, u := range r.users {
		phones += len(u.phones)
	}
	return fmt.Sprintf("%d users with %d phones", len(r.users), phones)
}
