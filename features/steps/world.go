package steps

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/features/targets"
	"github.com/tabletop-db/tabletop/features/wire"
	"github.com/tabletop-db/tabletop/internal/testutil/textlog"
	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// World is the environment of one scenario: tables of its own on the target, a clock, a log and the recorded requests.
// Open initializes it.
type World struct {
	Target  *targets.Target
	Private bool                 // the target is the scenario's alone, and its clock follows Clock
	Prefix  string               // prefix of the scenario's table names
	Files   fs.FS                // files of the suite, for steps that name one; nil: none
	Client  *dynamodb.Client     // for the scenario's own requests: neither recorded nor disturbed
	Once    *dynamodb.Client     // like Client, but without retries, for scenarios that expect a refusal
	Wire    *wire.Recorder       // records the clients that use RecordedConfig
	Link    *wire.Transport      // transport of those clients
	Cosmos  *wire.CosmosRecorder // records the Cosmos DB clients from CosmosSDK
	Clock   *Clock
	Log     *textlog.Log // output of services that use Logger
	Trace   *wire.Trace  // keeps all requests and responses; nil: not kept
	Reply                // result of the last request that the scenario made itself
	Raced   []error      // results of parallel requests, in any order; nil: success

	commands     commands
	begun        chan Reply // receives the result of a request in the background
	faults       []setFault // faults that steps set
	unusedFaults int        // faults that were removed without having applied
	webhook      *webhook   // receives alarms; nil: none
	mu           sync.Mutex
	vars         map[string]string
	closers      []func(context.Context) error
}

// Open sets up the world on the target. The clock stands at now until the scenario moves it.
func (w *World) Open(t *targets.Target, prefix string, now time.Time) {
	w.Prefix = prefix
	w.setTarget(t)
	w.Wire = wire.NewRecorder(prefix)
	w.Cosmos = &wire.CosmosRecorder{}
	w.Link = &wire.Transport{Base: w.Trace.Wrap("dynamodb", http.DefaultTransport)}
	w.Clock = &Clock{now: now}
	w.Log = &textlog.Log{}
	w.vars = map[string]string{}
	w.OnClose(w.dropTables)
	w.OnClose(w.checkNothingPending)
}

// checkNothingPending returns an error if something that a step arranged never happened, because the scenario then
// proves nothing about it.
func (w *World) checkNothingPending(context.Context) error {
	return errors.Join(
		CheckPending(w.Wire.PendingHooks()+w.Cosmos.PendingHooks(), "interruptions of requests"),
		CheckPending(w.Link.PendingDrops()+w.Cosmos.PendingDrops(), "lost responses"),
		CheckPending(w.Wire.UnusedSubstitutes(), "responses instead of the store's"),
		CheckPending(w.Wire.PendingHolds(), "groups of requests that are held"),
		CheckPending(w.unusedFaults+w.pendingFaults(), "faults"),
	)
}

// CheckPending returns an error if n things that a scenario arranged, such as lost responses, have not happened at its
// end.
func CheckPending(n int, what string) error {
	if n > 0 {
		return fmt.Errorf("%d of the arranged %s never happened: too few matching requests were sent", n, what)
	}
	return nil
}

// Restart replaces the scenario's target by an emulator in this process with these options. Its clock shows the
// scenario's time. The data of the previous target is gone.
func (w *World) Restart(opts ...emulator.Option) error {
	w.unusedFaults += w.pendingFaults()
	t, err := targets.Embed(append([]emulator.Option{emulator.WithManualClock(w.Clock.Now())}, opts...)...)
	if err != nil {
		return err
	}
	w.Private = true
	w.setTarget(t)
	stop := func(context.Context) error { return t.Close() }
	// closes after everything that needs the emulator
	w.closers = append([]func(context.Context) error{stop}, w.closers...)
	return nil
}

// setTarget makes t the scenario's target.
func (w *World) setTarget(t *targets.Target) {
	w.Target, w.Client = t, t.DynamoDB(w.traced)
	w.Once = t.DynamoDB(w.traced, func(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} })
}

// traced makes the trace keep a client's requests, if there is a trace.
func (w *World) traced(o *dynamodb.Options) {
	if w.Trace != nil {
		o.HTTPClient = &http.Client{Transport: w.Trace.Wrap("dynamodb", http.DefaultTransport)}
	}
}

// Emulator returns the scenario's emulator, if it runs in this process.
func (w *World) Emulator() (*emulator.Emulator, error) {
	if w.Target.Emulator == nil || !w.Private {
		return nil, fmt.Errorf("that needs an emulator of the scenario's own: give the scenario the tag @needs:%s",
			targets.Commands)
	}
	return w.Target.Emulator, nil
}

// RecordedConfig returns the config for a service under test. The requests of its DynamoDB clients are recorded.
func (w *World) RecordedConfig() aws.Config {
	cfg := w.Target.Config.Copy()
	cfg.HTTPClient = &http.Client{Transport: w.Link}
	cfg.APIOptions = append(cfg.APIOptions, w.Wire.Stack)
	return cfg
}

// SDK returns a client for the code under test. Its requests are recorded, and their responses can be dropped.
func (w *World) SDK(opts ...func(*dynamodb.Options)) *dynamodb.Client {
	return dynamodb.NewFromConfig(w.RecordedConfig(), opts...)
}

// Logger returns a logger that writes records of all levels to the world's log.
func (w *World) Logger() *slog.Logger {
	return slog.New(slog.NewJSONHandler(w.Log, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// OnClose registers a function to call at the end of the scenario, last registered first.
func (w *World) OnClose(f func(context.Context) error) {
	w.closers = append(w.closers, f)
}

// Close removes what the scenario created.
func (w *World) Close(ctx context.Context) error {
	var errs []error
	for i := len(w.closers) - 1; i >= 0; i-- {
		errs = append(errs, w.closers[i](ctx))
	}
	w.closers = nil
	return errors.Join(errs...)
}

// Set sets the value of a name, so that a later step can refer to it as {name}.
func (w *World) Set(name, value string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.vars[name] = value
}

var (
	slot      = lazyregexp.New(`\{[A-Za-z0-9][A-Za-z0-9 -]*\}`)
	secondsIn = lazyregexp.New(`^seconds in (\d+) days$`)
)

// Fill replaces each {name} by its value. {now} is the clock's time in RFC 3339, and {seconds in 30 days} is its time
// 30 days later in epoch seconds. An unknown name is an error.
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
			return strconv.FormatInt(w.Clock.Now().Add(DurationOf(Count(m[1]), "day")).Unix(), 10)
		}
		unknown = fmt.Errorf("no value is saved as %q in this scenario", name)
		return s
	})
	return filled, unknown
}
