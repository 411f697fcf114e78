package steps

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"regexp"
	"strconv"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/features/targets"
	"github.com/tabletop-db/tabletop/features/wire"
	"github.com/tabletop-db/tabletop/internal/textlog"
)

// World is what one scenario has: tables of its own on the target, a clock, a log and a record of the wire. Open
// fills it in.
type World struct {
	Target  *targets.Target
	Private bool                 // the target is the scenario's alone, and its clock goes with Clock
	Prefix  string               // begins the scenario's table names
	Files   fs.FS                // the suite's, for what a sentence names; nil: none
	Client  *dynamodb.Client     // for the test's own questions: neither recorded nor disturbed
	Once    *dynamodb.Client     // likewise, and it never tries again: a refusal is what a scenario wants to see
	Wire    *wire.Recorder       // of the clients that were given Observed
	Link    *wire.Transport      // below those clients
	Cosmos  *wire.CosmosRecorder // of the clients of Cosmos DB that CosmosSDK made
	Clock   *Clock
	Log     *textlog.Log // what services wrote that were given Logger
	Reply                // to the last request that the scenario made itself
	Raced   []error      // what came of many requests, in any order; nil: it succeeded

	begun   chan Reply // takes what comes of a request that waits
	faults  []func()   // end those that sentences set
	hook    *webhook   // of the alarms; nil for none
	mu      sync.Mutex
	vars    map[string]string
	closers []func(context.Context) error
}

// Open makes the world ready on the target. The clock stands at now until the scenario moves it.
func (w *World) Open(t *targets.Target, prefix string, now time.Time) {
	w.Prefix = prefix
	w.use(t)
	w.Wire = wire.NewRecorder(prefix)
	w.Cosmos = &wire.CosmosRecorder{}
	w.Link = &wire.Transport{Base: http.DefaultTransport}
	w.Clock = &Clock{now: now}
	w.Log = &textlog.Log{}
	w.vars = map[string]string{}
	w.OnClose(w.dropTables)
	w.OnClose(w.nothingAhead)
}

// nothingAhead is an error where something that was to come between two requests never did: what the scenario says of
// it proves nothing.
func (w *World) nothingAhead(context.Context) error {
	if n := w.Wire.Ahead() + w.Cosmos.Ahead(); n > 0 {
		return fmt.Errorf("%d things that were to come between never did: no such request was sent", n)
	}
	return nil
}

// Restart gives the scenario an emulator in this process with these options in place of its target. Its clock shows the
// scenario's time. What the former target held is not there any more.
func (w *World) Restart(opts ...emulator.Option) error {
	t, err := targets.Embed(append([]emulator.Option{emulator.WithManualClock(w.Clock.Now())}, opts...)...)
	if err != nil {
		return err
	}
	w.Private = true
	w.use(t)
	stop := func(context.Context) error { return t.Close() }
	w.closers = append([]func(context.Context) error{stop}, w.closers...) // after all that needs the emulator
	return nil
}

// use makes t the scenario's target.
func (w *World) use(t *targets.Target) {
	w.Target, w.Client = t, t.DynamoDB()
	w.Once = t.DynamoDB(func(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} })
}

// Emulator is the scenario's, where it runs in this process.
func (w *World) Emulator() (*emulator.Emulator, error) {
	if w.Target.Emulator == nil || !w.Private {
		return nil, fmt.Errorf("that needs an emulator of the scenario's own: give the scenario the tag @needs:%s", targets.Commands)
	}
	return w.Target.Emulator, nil
}

// Observed is the config for a service under test. What its DynamoDB clients ask is recorded.
func (w *World) Observed() aws.Config {
	cfg := w.Target.Config.Copy()
	cfg.HTTPClient = &http.Client{Transport: w.Link}
	cfg.APIOptions = append(cfg.APIOptions, w.Wire.Stack)
	return cfg
}

// SDK is a client for code under test: what it asks is recorded, and its answers can be lost.
func (w *World) SDK(opts ...func(*dynamodb.Options)) *dynamodb.Client {
	return dynamodb.NewFromConfig(w.Observed(), opts...)
}

// Logger writes to the world's log, everything.
func (w *World) Logger() *slog.Logger {
	return slog.New(slog.NewJSONHandler(w.Log, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// OnClose has f called when the scenario is over, last added first.
func (w *World) OnClose(f func(context.Context) error) {
	w.closers = append(w.closers, f)
}

// Close removes what the scenario left.
func (w *World) Close(ctx context.Context) error {
	var errs []error
	for i := len(w.closers) - 1; i >= 0; i-- {
		errs = append(errs, w.closers[i](ctx))
	}
	w.closers = nil
	return errors.Join(errs...)
}

// Set gives a name to a value, so that a later sentence can say {name}.
func (w *World) Set(name, value string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.vars[name] = value
}

var (
	slot      = regexp.MustCompile(`\{[A-Za-z0-9][A-Za-z0-9 -]*\}`)
	secondsIn = regexp.MustCompile(`^seconds in (\d+) days$`)
)

// Fill replaces each {name} by its value. {now} is the clock in RFC 3339 and {seconds in 30 days} what it will show
// then in epoch seconds. An unknown name is an error.
func (w *World) Fill(text string) (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var unknown error
	filled := slot.ReplaceAllStringFunc(text, func(s string) string {
		name := s[1 : len(s)-1]
		if v, ok := w.vars[name]; ok {
			return v
		}
		if name == "now" {
			return Timestamp(w.Clock.Now())
		}
		if m := secondsIn.FindStringSubmatch(name); m != nil {
			return strconv.FormatInt(w.Clock.Now().Add(Span(Count(m[1]), "day")).Unix(), 10)
		}
		unknown = fmt.Errorf("nothing in this scenario is called %q", name)
		return s
	})
	return filled, unknown
}
