package simenv

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/emulator/invariants"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// Environment is the backend of a simulation. It is safe for concurrent use; the callers that it returns are not.
type Environment struct {
	BaseURL  string // of the backend
	Clock    *sim.Clock
	Embedded *Embedded // what runs in this process; nil if the backend runs elsewhere

	cfg           Config
	system        string
	started       time.Time // by the system clock
	client        *sim.Client
	retrier       sim.Retrier
	lostResponses atomic.Int64
}

// Config configures the backend of a simulation, the loss of responses, and the progress.
type Config struct {
	Seed             uint64    // determines which responses are lost
	ResponseLossRate float64   // the probability that a response is lost
	Shard            sim.Shard // simulates only a part of the participants; zero: all

	BaseURL    string // of a backend that runs elsewhere; empty: one in this process
	AdminToken string // of a backend that runs elsewhere
	Emulator   string // address of the emulator whose clock that backend uses and the simulation advances; empty: none
	// Invariants are checked at the end, besides those of the system's rules, which are checked on a backend in this
	// process. Of a backend elsewhere, they are checked in the tables of Emulator. May be nil.
	Invariants *invariants.Set
	Speed      float64 // how many times as fast everything happens if no clock is advanced; default 1

	Stop     <-chan struct{}    // closed: nothing more is done, and what was done is reconciled; may be nil
	Progress func(sim.Progress) // called with the progress a few times per second; may be nil
}

// Check returns the error that Open would return for the first invalid setting.
func (c Config) Check() error {
	u, err := url.Parse(c.BaseURL)
	switch {
	case !(c.ResponseLossRate >= 0 && c.ResponseLossRate < 1):
		return fmt.Errorf("--lost-responses %v is out of range: use 0 to less than 1", c.ResponseLossRate)
	case c.BaseURL == "" && (c.Emulator != "" || c.Speed != 0):
		return errors.New("--emulator and --speed require --backend, the URL of a running backend")
	case c.BaseURL == "":
		return nil
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("--backend %q is not a URL: use one such as http://127.0.0.1:8080", c.BaseURL)
	case c.Invariants != nil && c.Emulator == "":
		return errors.New("--invariants with --backend requires --emulator, the URL of the emulator with its tables")
	case c.Emulator != "" && c.Speed != 0:
		return errors.New("set either --emulator or --speed, not both")
	case c.Speed < 0 || c.Speed > 0 && c.Speed < 1:
		return fmt.Errorf("--speed %v is out of range: use 1 (real time) or more", c.Speed)
	}
	return nil
}

// Open opens the environment of one system, such as kefir. The caller closes it. A backend in this process starts at
// Start, and change may modify its configuration; it may be nil.
func Open(ctx context.Context, system string, cfg Config, change func(*backend.Config)) (*Environment, error) {
	if cfg.BaseURL == "" {
		return StartEmbedded(ctx, system, Start(), cfg, change)
	}
	if err := checkSystem(ctx, cfg.BaseURL, system); err != nil {
		return nil, err
	}
	if cfg.Emulator != "" {
		clock, err := sim.NewRemoteClock(ctx, cfg.Emulator)
		if err != nil {
			return nil, err
		}
		return Connect(cfg.BaseURL, clock, cfg), nil
	}
	return Connect(cfg.BaseURL, sim.NewScaledClock(max(cfg.Speed, 1)), cfg), nil
}

// checkSystem refuses a backend without the system, before anything is changed. It does not report a backend that does
// not respond.
func checkSystem(ctx context.Context, baseURL, system string) error {
	c := &sim.Client{BaseURL: baseURL, HTTP: sim.HTTPClient(1)}
	if _, err := c.Do(ctx, sim.Call{Method: http.MethodGet, Path: "/" + system + "/healthz"}); sim.Status(
		err) == http.StatusNotFound {
		return fmt.Errorf("the backend at %s does not run %s: include it in --systems and configure its database",
			baseURL, system)
	}
	return nil
}

// Connect returns an environment with a backend at baseURL, such as http://127.0.0.1:8080, that somebody else has
// started and that uses clock.
func Connect(baseURL string, clock *sim.Clock, cfg Config) *Environment {
	return &Environment{
		BaseURL: baseURL, Clock: clock, cfg: cfg, started: time.Now(),
		client: &sim.Client{BaseURL: baseURL, HTTP: sim.HTTPClient(connections)}, retrier: sim.Retrier{Backend: baseURL},
	}
}

const connections = 32

// Caller returns a caller of the simulation whose lost responses depend on this number. credential may be nil.
func (e *Environment) Caller(number uint64, credential sim.Credential) *sim.Caller {
	loss := &sim.ResponseLoss{Seed: e.cfg.Seed, Number: number, Rate: e.cfg.ResponseLossRate, Counter: &e.lostResponses}
	return &sim.Caller{Client: e.client, Retrier: &e.retrier, Loss: loss, Credential: credential}
}

// User returns a caller that signs in as subject, with these roles, at the backend's development issuer.
func (e *Environment) User(number uint64, subject string, roles ...string) *sim.Caller {
	return e.Caller(number, e.signIn(subject, roles))
}

// Admin returns a caller with the admin token that loses no response.
func (e *Environment) Admin() *sim.Caller {
	c := e.Anonymous()
	c.Credential = BearerCredential(e.cfg.AdminToken)
	return c
}

// Anonymous returns a caller without a credential that loses no response.
func (e *Environment) Anonymous() *sim.Caller {
	return &sim.Caller{Client: e.client, Retrier: &e.retrier}
}

// Concurrency is the number of concurrent actors, and of concurrent reads of the reconciliation.
const Concurrency = 16

// ForEach calls do for each element, several concurrently, and returns the first error.
func ForEach[T any](ctx context.Context, all []T, do func(context.Context, T) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(Concurrency)
	for _, one := range all {
		g.Go(func() error { return do(ctx, one) })
	}
	return g.Wait()
}

// Runner returns the runner of a simulation of these participants.
func (e *Environment) Runner(who sim.Participants) sim.Runner {
	return sim.Runner{Clock: e.Clock, Concurrency: Concurrency, Stop: e.cfg.Stop, Progress: e.progress(who.String())}
}

// Summary is what a result says besides the contents of the ledger and the environment's counters.
type Summary struct {
	Simulator    string // the subcommand of tabletop simulate, such as brewers
	Settings     sim.Settings
	Participants sim.Participants
	PassMessage  string // true if nothing is wrong
}

// Result checks the invariants, and returns the result of a reconciled simulation.
func (e *Environment) Result(ctx context.Context, s Summary, ledger *sim.Ledger) (sim.Result, error) {
	held, err := e.CheckInvariants(ctx, ledger)
	if err != nil {
		return sim.Result{}, err
	}
	settings := sim.Settings{"lost-responses": strconv.FormatFloat(e.cfg.ResponseLossRate, 'g', -1, 64)}
	maps.Copy(settings, s.Settings)
	r := sim.Result{
		Run: sim.Run{
			Simulator: s.Simulator, Shard: e.cfg.Shard, Settings: settings, Seed: e.cfg.Seed, From: e.Clock.Start(),
			To: e.Clock.Now(), WallSeconds: time.Since(e.started).Seconds(), Requests: e.retrier.Requests.Load(),
			Errors: e.retrier.Errors.Load(), ResponsesLost: e.lostResponses.Load(), Reconciled: true, Invariants: held,
		},
		Simulation: s.Participants.String(), Participants: s.Participants, PassMessage: s.PassMessage,
	}
	ledger.CopyTo(&r)
	return r, nil
}

// progress returns a function that reports the progress a few times per second.
func (e *Environment) progress(description string) func(moment time.Duration) {
	var rate sim.Rate
	var last time.Time
	return func(moment time.Duration) {
		now := time.Now()
		if e.cfg.Progress == nil || now.Sub(last) < refresh {
			return
		}
		last = now
		n := e.retrier.Requests.Load()
		e.cfg.Progress(sim.Progress{At: now, Simulated: e.Clock.At(moment), Simulation: description, Requests: n,
			RequestsPerSec: rate.Update(now, n), Errors: e.retrier.Errors.Load(), ResponsesLost: e.lostResponses.Load()})
	}
}

const refresh = 250 * time.Millisecond

// Close stops what runs in this process.
func (e *Environment) Close() error {
	if e.Embedded == nil {
		return nil
	}
	return e.Embedded.close()
}

// tokenLife is the lifetime of users' tokens: in a simulation of weeks, they expire a few times.
const tokenLife = 7 * 24 * time.Hour

// signIn returns a credential that signs in if there is no token yet, and again when the backend refuses it.
func (e *Environment) signIn(subject string, roles []string) sim.Credential {
	var header http.Header
	return func(ctx context.Context, renew bool) (http.Header, error) {
		if header != nil && !renew {
			return header, nil
		}
		var out struct {
			Token string `json:"access_token"`
		}
		in := map[string]any{"subject": subject, "lifetime": int64(tokenLife / time.Second)}
		if len(roles) > 0 {
			in["roles"] = roles
		}
		_, err := e.client.Do(ctx, sim.Call{Method: http.MethodPost, Path: "/auth/token", In: in, Out: &out})
		if sim.Status(err) == http.StatusNotFound {
			return nil, errors.New("the backend has no development issuer, so that simulated people cannot sign in: " +
				"start it without --issuer, or omit --backend to run one in this process")
		}
		if err != nil {
			return nil, err
		}
		header = http.Header{"Authorization": {"Bearer " + out.Token}}
		return header, nil
	}
}

// BearerCredential returns a credential that is always the same token.
func BearerCredential(token string) sim.Credential {
	return HeaderCredential("Authorization", "Bearer "+token)
}

// HeaderCredential returns a credential that is always the same header.
func HeaderCredential(name, value string) sim.Credential {
	header := http.Header{http.CanonicalHeaderKey(name): {value}}
	return func(context.Context, bool) (http.Header, error) { return header, nil }
}
