package notification

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/backend"
	schema "github.com/tabletop-db/tabletop/backend/notification"
	"github.com/tabletop-db/tabletop/backend/push"
	"github.com/tabletop-db/tabletop/features/httpapi"
	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/features/targets"
	"github.com/tabletop-db/tabletop/features/wire"
	"github.com/tabletop-db/tabletop/simulators/pushgateway"
)

const adminToken = "the administrator of the specs"

// world is one scenario's service, users and phones.
type world struct {
	*steps.World
	httpapi.Users // the app's requests to the service

	client  *azcosmos.Client
	gateway *pushgateway.Gateway
	away    atomic.Bool // the push service does not respond
	tried   attempts    // attempts to push

	sizes  []int    // sizes of the pages of the last list
	listed []string // entries of the last list
	rows   []map[string]any
	charge map[string]float64 // request charges, by their names in steps
	events map[string]string  // users of events, by event id
	made   []string           // ids of events, in order of creation

	repeat   func(context.Context) // repeats the last event with an idempotency key
	follower *schema.Follower      // the other follower of the change feed, once it has run
	failures []error               // errors of what happened in between
	cleaned  schema.Cleanup        // result of the last cleanup
}

// Steps registers the steps of this system.
func Steps(sc *godog.ScenarioContext, base *steps.World) {
	w := &world{World: base, Users: httpapi.Users{Service: httpapi.New(base, "/notification")},
		charge: map[string]float64{}, events: map[string]string{}}
	sc.Before(func(ctx context.Context, _ *godog.Scenario) (context.Context, error) {
		if base.Target == nil { // the scenario does not apply to the target
			return ctx, nil
		}
		return ctx, w.open(ctx)
	})
	sc.StepContext().Before(func(ctx context.Context, _ *godog.Step) (context.Context, error) {
		if base.Target != nil {
			w.setTimes()
		}
		return ctx, nil
	})
	w.Service.Steps(sc)
	w.Requests(sc, httpapi.Callers{Credential: w.Credential, Operator: httpapi.Bearer(adminToken)})
	w.eventSteps(sc)
	w.workerSteps(sc)
	w.readingSteps(sc)
	w.phones(sc)
	w.documented(sc)
	w.operationSteps(sc)
	w.between(sc)
	w.access(sc)
}

// setTimes sets the values with which steps refer to the time in the documents' format.
func (w *world) setTimes() {
	const layout = "2006-01-02T15:04:05.000Z"
	w.Set("now in milliseconds", w.Clock.Now().UTC().Format(layout))
	w.Set("an hour ago in milliseconds", w.Clock.Now().Add(-time.Hour).UTC().Format(layout))
}

func (w *world) database() string { return w.Prefix + schema.Database }

// open creates the containers and starts the service. Its pauses take no real time; they move only the scenario's
// clock.
func (w *world) open(ctx context.Context) (err error) {
	if w.client, err = w.CosmosSDK(azcosmos.ClientOptions{}); err != nil {
		return err
	}
	target := w.Target
	w.OnClose(func(ctx context.Context) error { return targets.DropDatabase(ctx, target, w.database()) })
	if _, err := schema.Create(ctx, w.client, w.database(), schema.Throughput{}); err != nil {
		return err
	}
	w.gateway = pushgateway.New(pushgateway.Config{Now: w.Clock.Now})
	server, err := backend.New(w.config())
	if err != nil {
		return err
	}
	w.Issuer = server.Issuer()
	w.Start(server)
	return nil
}

func (w *world) config() backend.Config {
	return backend.Config{
		Systems: []string{"notification"}, Cosmos: w.client, TablePrefix: w.Prefix, AdminToken: adminToken, Pepper: "unused",
		Senders: map[schema.Platform]push.Sender{schema.FCM: w.sender()},
		Now:     w.Clock.Now, Logger: w.Logger(), Wait: w.pause,
	}
}

// sender returns a sender to the push gateway, which fails while the push service is away.
func (w *world) sender() push.Sender {
	bearer := func(context.Context) (string, error) { return "desk", nil }
	return &flakySender{unavailable: &w.away, attempts: &w.tried, now: w.Clock.Now, Sender: push.NewFCM("http://push",
		"tabletop", bearer,
		&http.Client{Transport: wire.Handler(w.gateway)}, w.pause)}
}

// flakySender is a sender to a push service that may be away.
type flakySender struct {
	push.Sender
	unavailable *atomic.Bool
	attempts    *attempts
	now         func() time.Time
}

// attempts are the times of attempts to push. They are safe for concurrent use.
type attempts struct {
	mu sync.Mutex
	at []time.Time
}

func (a *attempts) add(t time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.at = append(a.at, t)
}

// Send implements push.Sender.
func (d *flakySender) Send(ctx context.Context, messages []push.Message) ([]push.Result, error) {
	d.attempts.add(d.now())
	if d.unavailable.Load() {
		return nil, errAway
	}
	return d.Sender.Send(ctx, messages)
}

func (w *world) pause(ctx context.Context, d time.Duration) error {
	w.Clock.Advance(d)
	return ctx.Err()
}

// operator is like Act, as the operator, or as a service of the app that creates events.
func (w *world) operator(ctx context.Context, method, path string, body any) {
	w.SendStep(ctx, httpapi.Bearer(adminToken), method, path, body)
}
