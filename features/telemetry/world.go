package telemetry

import (
	"context"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/backend/tables"
	schema "github.com/tabletop-db/tabletop/backend/telemetry"
	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/features/wire"
)

const adminToken = "the administrator of the specs"

// world is one scenario's service, fleet and last answer.
type world struct {
	*steps.World
	pepper    string
	retention time.Duration
	answers   *wire.Transport // between the devices and the service
	client    *http.Client    // over answers

	keys    map[string]apiKey
	devices map[string]*device
	current *device // whom a sentence means by "it"
	sent    map[string]reading

	last    answer
	all     []answer // of many senders at once
	pages   []page
	fleet   []*device
	changed *tables.Schema
	startup error
}

// Steps offers the steps of this system over a world.
func Steps(sc *godog.ScenarioContext, base *steps.World) {
	w := &world{
		World: base, pepper: "the pepper of the specs",
		keys: map[string]apiKey{}, devices: map[string]*device{}, sent: map[string]reading{},
	}
	sc.Before(func(ctx context.Context, _ *godog.Scenario) (context.Context, error) {
		if base.Target == nil { // the scenario does not apply to the target
			return ctx, nil
		}
		return ctx, w.open(ctx)
	})
	w.registration(sc)
	w.listing(sc)
	w.readings(sc)
	w.ingestion(sc)
	w.idempotency(sc)
	w.apiKeys(sc)
	w.apiKeyRefusals(sc)
	w.retentionSteps(sc)
	w.schema(sc)
	w.schemaChanges(sc)
	w.offline(sc)
}

func (w *world) open(ctx context.Context) error {
	if err := tables.Create(ctx, w.Client, schema.Schema(w.Prefix).Tables); err != nil {
		return err
	}
	return w.start()
}

// start begins the service, or begins it anew: what it has in memory is gone, what is stored is not.
func (w *world) start() error {
	server, err := backend.New(backend.Config{
		AWS: w.Observed(), TablePrefix: w.Prefix, AdminToken: adminToken, Pepper: w.pepper, Retention: w.retention,
		Now: w.Clock.Now, Logger: w.Logger(), ClientOptions: []func(*dynamodb.Options){w.Wire.Client},
	})
	if err != nil {
		return err
	}
	w.answers = &wire.Transport{Base: wire.Handler(server)}
	w.client = &http.Client{Transport: w.answers}
	return nil
}
