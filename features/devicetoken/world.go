package devicetoken

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/backend"
	schema "github.com/tabletop-db/tabletop/backend/devicetoken"
	"github.com/tabletop-db/tabletop/backend/tables"
	"github.com/tabletop-db/tabletop/features/httpapi"
	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/simulators/pushgateway"
)

const (
	adminToken = "the administrator of the specs"
	table      = "photoeditor-dev-device-tokens" // as sentences name it, without the scenario's prefix
)

// world is one scenario's service, phones and push service.
type world struct {
	*steps.World
	httpapi.Users // between the phones and the service

	gateway         *pushgateway.Gateway
	pushURL         string
	delivered       int                         // by the push service before the last push
	meanwhile       func(context.Context) error // happens once, before the push service's next answer
	interruption    error                       // what went wrong with it
	withActiveIndex bool                        // the backend writes activeAt
	tokens          map[string]int              // how many push tokens a phone has had
	found           []steps.Item                // by the last query of the store
	keyID           *string                     // of KMS, where the store asks who may do what
	cleaned         cleaned
	cleanAs         aws.CredentialsProvider // nil: as anybody
	mistake         mistake
	pauses          []time.Duration // of the service between its tries
}

// Steps offers the steps of this system over a world.
func Steps(sc *godog.ScenarioContext, base *steps.World) {
	w := &world{World: base, Users: httpapi.Users{Service: httpapi.New(base, "/devicetoken")}, tokens: map[string]int{}}
	sc.Before(func(ctx context.Context, _ *godog.Scenario) (context.Context, error) {
		if base.Target == nil { // the scenario does not apply to the target
			return ctx, nil
		}
		return ctx, w.open(ctx)
	})
	w.Service.Steps(sc)
	w.phones(sc)
	w.deletions(sc)
	w.races(sc)
	w.lists(sc)
	w.Requests(sc, httpapi.People{As: w.As, Operator: httpapi.Bearer(adminToken)})
	w.credentials(sc)
	w.cleanups(sc)
	w.operations(sc)
	w.recovery(sc)
	w.fields(sc)
	w.identities(sc)
	w.policies(sc)
	w.pushes(sc)
	w.deliveries(sc)
	w.schema(sc)
	w.activeIndexes(sc)
	w.access(sc)
}

func (w *world) open(ctx context.Context) error {
	if err := tables.Create(ctx, w.Client, schema.Schema(w.Prefix, "").Tables); err != nil {
		return err
	}
	return w.start(w.Observed())
}

// start begins the service, or begins it anew, as whoever cfg signs for.
func (w *world) start(cfg aws.Config) error {
	server, err := backend.New(backend.Config{
		Systems: []string{"devicetoken"}, AWS: cfg, TablePrefix: w.Prefix, AdminToken: adminToken, Pepper: "unused",
		PushURL: w.pushURL, ActiveIndex: w.withActiveIndex,
		Wait: w.pause, Now: w.Clock.Now, Logger: w.Logger(), ClientOptions: []func(*dynamodb.Options){w.Wire.Client},
	})
	if err != nil {
		return err
	}
	w.Issuer = server.Issuer()
	w.Start(server)
	return nil
}

// pause is the service's wait before it tries again.
func (w *world) pause(ctx context.Context, d time.Duration) error {
	w.pauses = append(w.pauses, d)
	w.Clock.Advance(d)
	return ctx.Err()
}
