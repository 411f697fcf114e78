package venue

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// Venue is a backend to simulate against. It is safe for concurrent use; the callers it makes are not.
type Venue struct {
	BaseURL  string // of the backend
	Clock    *sim.Clock
	Embedded *Embedded // what runs in this process; nil when the backend runs elsewhere

	cfg      Config
	began    time.Time // by the machine's clock
	client   *sim.Client
	patience sim.Patience
	lost     atomic.Int64
}

// Config says where a simulation takes place, with which luck, and who looks on.
type Config struct {
	Seed       uint64  // decides which answers get lost
	AnswerLost float64 // the probability that an answer never reaches the one who asked

	BaseURL    string  // of a backend that runs elsewhere; empty: one in this process
	AdminToken string  // of a backend that runs elsewhere
	Emulator   string  // address of the emulator by whose clock that backend goes, which is moved; empty: no clock is moved
	Speed      float64 // how many times as fast everything happens where no clock is moved; default 1

	Stop     <-chan struct{}    // closed: nobody does anything more, and what was done is reconciled; may be nil
	Progress func(sim.Progress) // told how far it is, a few times a second; may be nil
}

// Check says what Open would refuse: the first setting that cannot work, and what would.
func (c Config) Check() error {
	u, err := url.Parse(c.BaseURL)
	switch {
	case !(c.AnswerLost >= 0 && c.AnswerLost < 1):
		return fmt.Errorf("%v of the answers lost: give a share from 0 to less than 1", c.AnswerLost)
	case c.BaseURL == "" && (c.Emulator != "" || c.Speed != 0):
		return errors.New("an emulator or a speed is for a backend that runs elsewhere: give its address too")
	case c.BaseURL == "":
		return nil
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("%q is no backend address: give one such as http://127.0.0.1:8080", c.BaseURL)
	case c.Emulator != "" && c.Speed != 0:
		return errors.New("a clock that is moved has no speed: give the emulator or the speed")
	case c.Speed < 0 || c.Speed > 0 && c.Speed < 1:
		return fmt.Errorf("speed %v: give 1 for real time, or more", c.Speed)
	}
	return nil
}

// Open opens the place that cfg says, for one system such as kefir. The caller closes it. A backend in this process
// begins at Start and may be changed by change, which may be nil.
func Open(ctx context.Context, system string, cfg Config, change func(*backend.Config)) (*Venue, error) {
	if cfg.BaseURL == "" {
		return Embed(ctx, system, Start(), cfg, change)
	}
	if err := runs(ctx, cfg.BaseURL, system); err != nil {
		return nil, err
	}
	if cfg.Emulator != "" {
		clock, err := sim.Commanded(ctx, cfg.Emulator)
		if err != nil {
			return nil, err
		}
		return Running(cfg.BaseURL, clock, cfg), nil
	}
	return Running(cfg.BaseURL, sim.Squeezed(max(cfg.Speed, 1)), cfg), nil
}

// runs refuses a backend without the system, before anything is touched. One that does not answer is somebody else's to
// tell.
func runs(ctx context.Context, baseURL, system string) error {
	c := &sim.Client{BaseURL: baseURL, HTTP: sim.HTTPClient(1)}
	if _, err := c.Do(ctx, sim.Call{Method: http.MethodGet, Path: "/" + system + "/healthz"}); sim.Status(err) == http.StatusNotFound {
		return fmt.Errorf("the backend at %s does not run %s: start it with that among its --systems and with the database that it is on", baseURL, system)
	}
	return nil
}

// Running is a backend at baseURL, such as http://127.0.0.1:8080, that somebody else has started and that goes by
// clock.
func Running(baseURL string, clock *sim.Clock, cfg Config) *Venue {
	return &Venue{
		BaseURL: baseURL, Clock: clock, cfg: cfg, began: time.Now(),
		client: &sim.Client{BaseURL: baseURL, HTTP: sim.HTTPClient(connections)}, patience: sim.Patience{Backend: baseURL},
	}
}

const connections = 32

// Caller is one of the simulation's people, with the luck of this number. credential may be nil.
func (v *Venue) Caller(number uint64, credential sim.Credential) *sim.Caller {
	luck := &sim.Luck{Seed: v.cfg.Seed, Number: number, AnswerLost: v.cfg.AnswerLost, Lost: &v.lost}
	return &sim.Caller{Client: v.client, Patience: &v.patience, Luck: luck, Credential: credential}
}

// Person is a caller who signs in as subject, with these roles, at the backend's development issuer.
func (v *Venue) Person(number uint64, subject string, roles ...string) *sim.Caller {
	return v.Caller(number, v.bearer(subject, roles))
}

// Admin is a caller with the admin token, whose answers all arrive.
func (v *Venue) Admin() *sim.Caller {
	c := v.Observer()
	c.Credential = Bearer(v.cfg.AdminToken)
	return c
}

// Observer is a caller without a credential, whose answers all arrive.
func (v *Venue) Observer() *sim.Caller {
	return &sim.Caller{Client: v.client, Patience: &v.patience}
}

// Concurrency is how many act at the same time, and how many things are read back at a time.
const Concurrency = 16

// Each does something about each of many, some at a time, and returns the first error.
func Each[T any](ctx context.Context, all []T, do func(context.Context, T) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(Concurrency)
	for _, one := range all {
		g.Go(func() error { return do(ctx, one) })
	}
	return g.Wait()
}

// Stage is where the simulation of somebody plays, such as "50 brewers".
func (v *Venue) Stage(who string) sim.Stage {
	return sim.Stage{Clock: v.Clock, Concurrency: Concurrency, Stop: v.cfg.Stop, Progress: v.progress(who)}
}

// Result is what the simulation of somebody came to that was reconciled: what the ledger has, and what was counted
// here.
func (v *Venue) Result(who, promise string, ledger *sim.Ledger) sim.Result {
	r := sim.Result{
		Simulation: who, Promise: promise, Reconciled: true,
		Seed: v.cfg.Seed, From: v.Clock.Start(), To: v.Clock.Now(), WallSeconds: time.Since(v.began).Seconds(),
		Requests: v.patience.Requests.Load(), Errors: v.patience.Errors.Load(), AnswersLost: v.lost.Load(),
	}
	ledger.Write(&r)
	return r
}

// progress shows how far a simulation is, a few times a second.
func (v *Venue) progress(who string) func(moment time.Duration) {
	var rate sim.Rate
	var last time.Time
	return func(moment time.Duration) {
		now := time.Now()
		if v.cfg.Progress == nil || now.Sub(last) < refresh {
			return
		}
		last = now
		n := v.patience.Requests.Load()
		v.cfg.Progress(sim.Progress{At: now, Simulated: v.Clock.At(moment), Text: fmt.Sprintf("%s  %d requests  %.0f/s  %d failed  %d answers lost",
			who, n, rate.Update(now, n), v.patience.Errors.Load(), v.lost.Load())})
	}
}

const refresh = 250 * time.Millisecond

// Close stops what runs in this process.
func (v *Venue) Close() error {
	if v.Embedded == nil {
		return nil
	}
	return v.Embedded.close()
}

// tokenLife is how long people stay signed in: a few times in a simulation of weeks their token ends.
const tokenLife = 7 * 24 * time.Hour

// bearer signs in when there is no token yet, and when the backend refuses the one there is.
func (v *Venue) bearer(subject string, roles []string) sim.Credential {
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
		_, err := v.client.Do(ctx, sim.Call{Method: http.MethodPost, Path: "/auth/token", In: in, Out: &out})
		if sim.Status(err) == http.StatusNotFound {
			return nil, errors.New("the backend has no development issuer, so that simulated people cannot sign in: " +
				"start it without an issuer of its own, or leave out --backend for one in this process")
		}
		if err != nil {
			return nil, err
		}
		header = http.Header{"Authorization": {"Bearer " + out.Token}}
		return header, nil
	}
}

// Bearer presents the same token always.
func Bearer(token string) sim.Credential { return Header("Authorization", "Bearer "+token) }

// Header presents the same header always.
func Header(name, value string) sim.Credential {
	header := http.Header{http.CanonicalHeaderKey(name): {value}}
	return func(context.Context, bool) (http.Header, error) { return header, nil }
}
