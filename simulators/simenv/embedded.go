package simenv

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/backend/auth"
	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
	"github.com/tabletop-db/tabletop/emulator/cosmosclient"
	"github.com/tabletop-db/tabletop/simulators/pushgateway"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// Embedded is an emulator, a push gateway and a backend in this process.
type Embedded struct {
	Emulator *emulator.Emulator
	Gateway  *pushgateway.Gateway // receives the backend's pushes
	Backend  backend.Config       // the backend's configuration, for further instances on the same tables
	DynamoDB *dynamodb.Client

	stop    context.CancelFunc
	servers errgroup.Group
}

// adminToken is not secret: the backend lives as long as the simulation and listens on loopback.
const adminToken = "of-the-simulation"

// Start is the default start of simulations in this process, a Monday morning.
func Start() time.Time { return time.Date(2026, 3, 2, 6, 0, 0, 0, time.UTC) }

// StartEmbedded starts an emulator whose clock stands at start until the simulation advances it, and on it the backend
// of one system, such as kefir. change may modify the backend's configuration; it may be nil. The caller closes the
// environment.
func StartEmbedded(ctx context.Context, system string, start time.Time, cfg Config,
	change func(*backend.Config)) (*Environment,
	error) {
	db, err := emulator.Start(console.Option(), emulator.WithManualClock(start), emulator.WithSeed(int64(cfg.Seed)),
		emulator.WithCosmosAddr(""), emulator.WithCosmosHTTPAddr("127.0.0.1:0"))
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	e := &Embedded{Emulator: db, DynamoDB: dynamodb.NewFromConfig(db.AWSConfig()), stop: stop}
	address, err := e.start(ctx, system, cfg.Seed, change)
	if err != nil {
		return nil, errors.Join(err, e.close())
	}
	cfg.AdminToken = adminToken
	env := Connect(address, sim.NewManualClock(db), cfg)
	env.Embedded, env.system = e, system
	return env, nil
}

// start serves the gateway and the backend, creates the backend's tables, and returns the backend's address.
func (e *Embedded) start(ctx context.Context, system string, seed uint64, change func(*backend.Config)) (string,
	error) {
	e.Gateway = pushgateway.New(pushgateway.Config{Now: e.Emulator.Now, Seed: seed, ExpoPerSecond: unlimited})
	push, err := e.serve(ctx, e.Gateway)
	if err != nil {
		return "", err
	}
	account, err := cosmosclient.New(e.Emulator, nil)
	if err != nil {
		return "", err
	}
	e.Backend = backend.Config{
		AWS: e.Emulator.AWSConfig(), Cosmos: account, Systems: []string{system}, AdminToken: adminToken,
		Pepper: adminToken, PushURL: push,
		Now: e.Emulator.Now, Logger: slog.New(slog.DiscardHandler),
	}
	if change != nil {
		change(&e.Backend)
	}
	server, err := backend.New(e.Backend)
	if err != nil {
		return "", fmt.Errorf("the backend cannot start: %w", err)
	}
	if err := server.CreateTables(ctx); err != nil {
		return "", err
	}
	return e.serve(ctx, server)
}

// unlimited disables a limit per second, which would not end while the clock stands still.
const unlimited = 1 << 40

// serve serves on a free port until the environment is closed.
func (e *Embedded) serve(ctx context.Context, server interface {
	Serve(context.Context, net.Listener) error
}) (address string, err error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	e.servers.Go(func() error { return server.Serve(ctx, listener) })
	return "http://" + listener.Addr().String(), nil
}

func (e *Embedded) close() error {
	e.stop()
	return errors.Join(e.servers.Wait(), e.Emulator.Close())
}

// InstanceConfig returns the configuration of a further instance, such as a job, on the same tables. It serves no
// users: it accepts no token.
func (e *Embedded) InstanceConfig() backend.Config {
	c := e.Backend
	c.Tokens = noTokens{}
	return c
}

// noTokens is a verifier that accepts no token.
type noTokens struct{}

// Verify returns auth.ErrInvalidToken.
func (noTokens) Verify(context.Context, string) (auth.Claims, error) {
	return auth.Claims{}, auth.ErrInvalidToken
}

// Scan returns all items of a table, bypassing the backend.
func (e *Embedded) Scan(ctx context.Context, table string) ([]map[string]types.AttributeValue, error) {
	var all []map[string]types.AttributeValue
	pages := dynamodb.NewScanPaginator(e.DynamoDB, &dynamodb.ScanInput{TableName: &table})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, page.Items...)
	}
	return all, nil
}
