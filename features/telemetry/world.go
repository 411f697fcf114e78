package telemetry

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/backend/tables"
	schema "github.com/tabletop-db/tabletop/backend/telemetry"
	"github.com/tabletop-db/tabletop/features/httpapi"
	"github.com/tabletop-db/tabletop/features/steps"
)

const adminToken = "the administrator of the specs"

// world is one scenario's service, fleet and last response.
type world struct {
	*steps.World
	*httpapi.Service // the devices' requests to the service
	pepper           string
	retention        time.Duration

	keys    map[string]apiKey
	devices map[string]*device
	current *device // the device that steps call "it"
	sent    map[string]reading

	pages   []page
	fleet   []*device
	changed *tables.Schema
	startup error
	lags    bool                                       // the indexes lag
	wait    func(context.Context, time.Duration) error // the service's wait; nil: a timer
}

// Steps registers the steps of this system.
func Steps(sc *godog.ScenarioContext, base *steps.World) {
	w := &world{
		World: base, Service: httpapi.New(base, "/telemetry"), pepper: "the pepper of the specs",
		keys: map[string]apiKey{}, devices: map[string]*device{}, sent: map[string]reading{},
	}
	sc.Before(func(ctx context.Context, _ *godog.Scenario) (context.Context, error) {
		if base.Target == nil { // the scenario does not apply to the target
			return ctx, nil
		}
		return ctx, w.open(ctx)
	})
	w.Service.Steps(sc)
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
	w.cloud(sc)
	w.access(sc)
}

func (w *world) open(ctx context.Context) error {
	if err := tables.Create(ctx, w.Client, schema.Schema(w.Prefix).Tables); err != nil {
		return err
	}
	return w.start()
}

// start starts or restarts the service: its memory is lost, the stored data is not.
func (w *world) start() error {
	server, err := backend.New(backend.Config{
		Systems: []string{"telemetry"}, AWS: w.RecordedConfig(), TablePrefix: w.Prefix, AdminToken: adminToken,
		Pepper:    w.pepper,
		Retention: w.retention,
		Now:       w.Clock.Now, Wait: w.wait, Logger: w.Logger(), ClientOptions: []func(*dynamodb.Options){w.Wire.Client},
	})
	if err != nil {
		return err
	}
	w.Start(server)
	return nil
}
