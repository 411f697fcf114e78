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

// world is one scenario's service, people and phones.
type world struct {
	*steps.World
	httpapi.Users // between the app and the service

	client  *azcosmos.Client
	gateway *pushgateway.Gateway
	away    atomic.Bool // the push service does not answer
	tried   attempts    // to push

	sizes  []int    // of the pages of the last list
	listed []string // what the last list had
	rows   []map[string]any
	charge map[string]float64 // of what was asked, by what sentences call it
	events map[string]string  // whose an event is, by the event's id
	made   []string           // ids of events, in the order of their making

	repeat   func(context.Context) // enqueues the last event with an idempotency key again
	follower *schema.Follower      // the other one of the change feed, once it has run
	failures []error               // of what came between
	cleaned  schema.Cleanup        // by the last cleanup
}

// Steps offers the steps of this system over a world.
func Steps(sc *godog.ScenarioContext, base *steps.World) {
	w := &world{World: base, Users: httpapi.Users{Service: httpapi.New(base, "/notification")}, charge: map[string]float64{}, events: map[string]string{}}
	sc.Before(func(ctx context.Context, _ *godog.Scenario) (context.Context, error) {
		if base.Target == nil { // the scenario does not apply to the target
			return ctx, nil
		}
		return ctx, w.open(ctx)
	})
	sc.StepContext().Before(func(ctx context.Context, _ *godog.Step) (context.Context, error) {
		if base.Target != nil {
			w.tellTime()
		}
		return ctx, nil
	})
	w.Service.Steps(sc)
	w.Requests(sc, httpapi.People{As: w.As, Operator: httpapi.Bearer(adminToken)})
	w.happening(sc)
	w.working(sc)
	w.reading(sc)
	w.phones(sc)
	w.documented(sc)
	w.operating(sc)
	w.between(sc)
	w.access(sc)
}

// tellTime lets sentences name the time as the documents have it.
func (w *world) tellTime() {
	const layout = "2006-01-02T15:04:05.000Z"
	w.Set("now in milliseconds", w.Clock.Now().UTC().Format(layout))
	w.Set("an hour ago in milliseconds", w.Clock.Now().Add(-time.Hour).UTC().Format(layout))
}

func (w *world) database() string { return w.Prefix + schema.Database }

// open makes the containers and begins the service. Its pauses take no time: they move the scenario's clock alone.
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

// sender sends to the push gateway, unless the push service is away.
func (w *world) sender() push.Sender {
	bearer := func(context.Context) (string, error) { return "desk", nil }
	return &door{away: &w.away, tries: &w.tried, now: w.Clock.Now, Sender: push.NewFCM("http://push", "tabletop", bearer, &http.Client{Transport: wire.Handler(w.gateway)}, w.pause)}
}

// door is a way to a push service that may be closed.
type door struct {
	push.Sender
	away  *atomic.Bool
	tries *attempts
	now   func() time.Time
}

// attempts are when it was tried to push. They are safe for concurrent use.
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
func (d *door) Send(ctx context.Context, messages []push.Message) ([]push.Result, error) {
	d.tries.add(d.now())
	if d.away.Load() {
		return nil, errAway
	}
	return d.Sender.Send(ctx, messages)
}

func (w *world) pause(ctx context.Context, d time.Duration) error {
	w.Clock.Advance(d)
	return ctx.Err()
}

// operator is Act as the operator, or as a service of the app that makes events.
func (w *world) operator(ctx context.Context, method, path string, body any) {
	w.Act(ctx, httpapi.Bearer(adminToken), method, path, body)
}
