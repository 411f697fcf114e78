package venue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// Embedded is emulator and backend in this process.
type Embedded struct {
	Emulator *emulator.Emulator
	Backend  backend.Config // what the backend was made of, for further instances on the same tables
	DynamoDB *dynamodb.Client

	stop   context.CancelFunc
	served chan error
}

// adminToken is no secret: the backend lives as long as the simulation and listens on loopback.
const adminToken = "of-the-simulation"

// Start is when simulations in this process begin, a Monday morning, unless they are told otherwise.
func Start() time.Time { return time.Date(2026, 3, 2, 6, 0, 0, 0, time.UTC) }

// Embed starts an emulator whose clock stands at start until the simulation moves it, and on it the backend of one system,
// such as kefir, changed by change, which may be nil. The caller closes the venue.
func Embed(ctx context.Context, system string, start time.Time, cfg Config, change func(*backend.Config)) (*Venue, error) {
	db, err := emulator.Start(emulator.WithManualClock(start), emulator.WithSeed(int64(cfg.Seed)))
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	e := &Embedded{Emulator: db, stop: stop, served: make(chan error, 1)}
	e.Backend = backend.Config{
		AWS: db.AWSConfig(), Systems: []string{system}, AdminToken: adminToken, Pepper: adminToken, Now: db.Now,
		Logger: slog.New(slog.DiscardHandler),
	}
	e.DynamoDB = dynamodb.NewFromConfig(db.AWSConfig())
	if change != nil {
		change(&e.Backend)
	}
	address, err := e.serve(ctx)
	if err != nil {
		return nil, errors.Join(err, e.close())
	}
	cfg.AdminToken = adminToken
	v := Running("http://"+address, sim.Moved(db), cfg)
	v.Embedded = e
	return v, nil
}

// serve makes the tables and answers on a free port.
func (e *Embedded) serve(ctx context.Context) (address string, err error) {
	defer func() {
		if err != nil {
			e.served <- nil
		}
	}()
	server, err := backend.New(e.Backend)
	if err != nil {
		return "", fmt.Errorf("the backend cannot begin: %w", err)
	}
	if err := server.CreateTables(ctx); err != nil {
		return "", err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	go func() { e.served <- server.Serve(ctx, listener) }()
	return listener.Addr().String(), nil
}

func (e *Embedded) close() error {
	e.stop()
	return errors.Join(<-e.served, e.Emulator.Close())
}

// Scan returns all items of a table, past the backend.
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
