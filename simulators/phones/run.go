package phones

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/simenv"
)

// Lines of the result.
const (
	actionInstall     = "app installations"
	actionOpen        = "app launches"
	actionRegister    = "registrations of new devices"
	actionRefresh     = "device refreshes"
	actionExpire      = "registrations after expiry"
	actionReadBack    = "reads of a device"
	actionRotate      = "tokens rotated"
	actionLogOut      = "logouts"
	actionUninstall   = "app removals"
	actionRemove      = "devices removed"
	actionDelete      = "account deletions"
	actionJob         = "jobs completed"
	actionSent        = "pushes reported as sent"
	actionDeactivated = "devices deactivated for an unregistered token"
	foundRemoved      = "devices removed as expected"
	foundPush         = "pushes delivered once"
	lostPush          = "lost pushes"
	wrongPhone        = "pushes to a wrong phone"
)

// Run simulates all users until the time is over or the run is stopped, and reconciles. Faults of the backend are not
// an error of Run: see Result.Err.
func Run(ctx context.Context, cfg Config) (res sim.Result, err error) {
	if err := cfg.Check(); err != nil {
		return res, err
	}
	cfg = cfg.withDefaults()
	env, err := simenv.Open(ctx, "devicetoken", cfg.Config, func(c *backend.Config) { c.Wait = simenv.NoWait })
	if err != nil {
		return res, err
	}
	defer func() { err = errors.Join(err, env.Close()) }()
	r := &run{cfg: cfg, env: env, pushes: map[string]sentPush{}, ledger: newLedger()}
	if r.pushLog, err = env.PushLog(ctx, cfg.Gateway); err != nil {
		return res, err
	}
	if err := r.play(ctx); err != nil {
		return res, err
	}
	if err := r.reconcile(ctx); err != nil {
		return res, fmt.Errorf("reading back: %w", err)
	}
	return env.Result(ctx, simenv.Summary{
		Simulator: "phones", Settings: cfg.settings(), Participants: r.participants(),
		PassMessage: "every device is as expected, and every push reached its phones exactly once",
	}, r.ledger)
}

// play runs the plans.
func (r *run) play(ctx context.Context) error {
	prefix := r.prefix()
	if err := r.checkClock(ctx, prefix); err != nil {
		return err
	}
	r.populate(prefix)
	end, err := r.env.Runner(r.participants()).Run(ctx, r.actors()...)
	if err != nil || !r.env.Clock.ControlsBackend() {
		return err
	}
	return r.env.Clock.WaitUntil(ctx, end+time.Second) // so that nothing expires in the second of the reconciliation
}

func newLedger() *sim.Ledger {
	return sim.NewLedger(
		[]string{actionInstall, actionOpen, actionRegister, actionRefresh, actionExpire, actionReadBack, actionRotate,
			actionLogOut, actionUninstall,
			actionRemove, actionDelete,
			actionJob, actionSent, actionDeactivated},
		[]string{"devices as expected", "devices in push lists as expected", foundRemoved, foundPush},
		append(sim.CompareFaults(), lostPush, wrongPhone))
}

// run is a simulation in progress.
type run struct {
	cfg     Config
	env     *simenv.Environment
	users   []*user
	ledger  *sim.Ledger
	pushLog *simenv.PushLog

	mu     sync.Mutex
	pushes map[string]sentPush
}

// prefix returns the prefix of the users' names. With a backend that persists, it is new in each run.
func (r *run) prefix() string {
	prefix := fmt.Sprintf("user%d", r.cfg.Seed)
	if r.env.Embedded == nil {
		prefix += fmt.Sprintf("-%x", time.Now().UnixNano())
	}
	return prefix
}

// populate creates the users.
func (r *run) populate(prefix string) {
	for n := range r.cfg.Users {
		if !r.cfg.Shard.Sends(uint64(n)) {
			continue
		}
		u := &user{run: r, plan: NewPlan(r.cfg.Seed, n, r.cfg.Duration), id: fmt.Sprintf("%s-%d", prefix, n)}
		caller := func(number int) *sim.Caller {
			return r.env.User(sim.Mix(forCaller, uint64(n), uint64(number)), u.id)
		}
		u.caller = caller(0)
		for i, platform := range u.plan.Platforms {
			u.phones = append(u.phones, &phone{
				run: r, id: fmt.Sprintf("%s-%s%d", u.id, platform, i), platform: platform,
				caller: caller(2*i + 1), secondCaller: caller(2*i + 2), reportedTokens: map[string]bool{},
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
	if e := r.env.Embedded; e != nil {
		all = append(all, &simenv.PushFaults{Gateway: e.Gateway, Seed: r.cfg.Seed, At: day, Every: time.Hour,
			Until: r.cfg.Duration})
	}
	return all
}

// now returns the time of the backend's clock.
func (r *run) now() time.Time { return r.env.Clock.Now() }

// strict reports whether expired items are deleted within the second, as on an emulator whose clock is moved.
func (r *run) strict() bool { return r.env.Embedded != nil }

// recordPush records a push and its recipients.
func (r *run) recordPush(id string, p sentPush) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pushes[id] = p
}

// participants returns who is simulated.
func (r *run) participants() sim.Participants {
	var phones int
	for _, u := range r.users {
		phones += len(u.phones)
	}
	return sim.Participants{{Name: "users", N: int64(len(r.users))}, {Name: "phones", N: int64(phones)}}
}
