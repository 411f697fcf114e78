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
	table      = "photoeditor-dev-device-tokens" // as named in steps, without the scenario's prefix
)

// world is one scenario's service, phones and push service.
type world struct {
	*steps.World
	httpapi.Users // the phones' requests to the service

	gateway         *pushgateway.Gateway
	pushURL         string
	delivered       int                         // messages that the push service delivered before the last push
	duringPush      func(context.Context) error // called once, before the push service's next response
	duringPushErr   error                       // error of meanwhile
	withActiveIndex bool                        // the backend writes activeAt
	tokens          map[string]int              // by phone: number of its push tokens so far
	found           []steps.Item                // results of the last query of the store
	keyID           *string                     // KMS key, if the store enforces policies
	cleaned         cleanupResult
	cleanAs         aws.CredentialsProvider // nil: without identity
	mistake         bulkDeletion
	pauses          []time.Duration // pauses of the service between its retries
}

// Steps registers the steps of this system.
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
	w.Requests(sc, httpapi.Callers{Credential: w.Credential, Operator: httpapi.Bearer(adminToken)})
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
	return w.start(w.RecordedConfig())
}

// start starts or restarts the service, with the identity in cfg.
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

// pause replaces the service's wait before a retry.
func (w *world) pause(ctx context.Context, d time.Duration) error {
	w.pauses = append(w.pauses, d)
	w.Clock.Advance(d)
	return ctx.Err()
}
