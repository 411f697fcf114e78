// Package emulator runs an Amazon DynamoDB and an Azure Cosmos DB for NoSQL inside a Go process, or inside a Go test,
// each on a port of its own.
//
//	func TestOrders(t *testing.T) {
//		db := emulator.Run(t)
//		dynamo := dynamodb.NewFromConfig(db.AWSConfig())
//		cosmos, err := cosmosclient.New(db, nil)
//		…
//	}
//
// Each emulator has its own state, port and clock; hundreds run side by side in one process.
package emulator

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"

	"github.com/tabletop-db/tabletop/emulator/internal/autoscaling"
	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/cloudwatch"
	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/faults"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
	"github.com/tabletop-db/tabletop/emulator/internal/kinesis"
	"github.com/tabletop-db/tabletop/emulator/internal/kms"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/s3"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Emulator is a running emulator. Its methods are safe for concurrent use.
type Emulator struct {
	clock     *clock.Clock
	store     *store.Store
	running   *store.Gate // passed by the requests of the other AWS services, and closed while the state is replaced
	identity  *identity.Service
	dynamo    *dynamo.Service
	cosmos    *cosmosServer
	keys      *kms.Service
	kinesis   *kinesis.Service
	alarms    *cloudwatch.Service
	scaling   *autoscaling.Service
	objects   *s3.Store
	metrics   *dynamoMetrics
	recorder  *recorder
	watcher   watcher
	console   control.Console
	faults    *faults.Injector
	spending  *spending
	pool      *budget.Pool // memory of requests in progress to any service: bodies, work and responses
	memory    *inflight.Tracker
	port      *port       // serves DynamoDB, the other AWS services and the admin API
	explored  bool        // by Explore
	checked   atomic.Bool // by the test of Explore: see StopExploring
	close     func() error
	closing   time.Duration // time limit of Close
	replacing time.Duration // time limit for Restore and Reset to wait for requests
}

// Start starts an emulator, by default in memory and on a free port of 127.0.0.1. The emulator accepts requests when
// Start returns. Errors: a port that is in use, a data folder that cannot be opened, or an invalid option; the message
// says what to do about it.
func Start(opts ...Option) (*Emulator, error) {
	o := defaults()
	for _, opt := range opts {
		opt(&o)
	}
	if err := checkPieces(o.likeCloud); err != nil {
		return nil, err
	}
	if err := checkWebhook(o.webhook); err != nil {
		return nil, err
	}
	if err := checkAccountID(o.accountID); err != nil {
		return nil, err
	}
	if days := o.cosmos.backupDays; days != 0 && days != 7 && days != 30 {
		return nil, errBackupDays
	}
	if err := o.applyMemory(); err != nil {
		return nil, err
	}
	if err := checkRegions(o.regions); err != nil {
		return nil, err
	}
	if err := checkObjectsDir(o.objectsDir()); err != nil {
		return nil, err
	}
	clock, err := o.clock()
	if err != nil {
		return nil, err
	}
	port, err := listen("", o.addr)
	if err != nil {
		return nil, err
	}
	if o.logger != nil {
		clock.OnPanic(func(reason any, stack []byte) {
			o.logger.Error("a scheduled task panicked", "panic", reason, "stack", string(stack))
		})
	}
	if o.inflight.Pool == nil {
		o.inflight.Pool = budget.NewPool(budget.DefaultPool)
	}
	e := &Emulator{clock: clock, port: port, pool: o.inflight.Pool, memory: inflight.New(o.inflight),
		explored: o.record != nil, closing: closeTimeout, replacing: replacing,
		objects: s3.New(s3.Config{Dir: o.objectsDir()})}
	if e.recorder, err = newRecorder(e.clock, o.seed, o.recording); err != nil {
		return nil, errors.Join(err, port.listener.Close())
	}
	if e.spending, err = newSpending(o.showCost); err != nil {
		return nil, errors.Join(err, e.recorder.close(), port.listener.Close())
	}
	pendingWrites := lag.New(e.clock, o.seed, o.enabled(Lag))
	if err := e.openFaults(o, pendingWrites.HoldOldest); err != nil {
		return nil, errors.Join(err, e.recorder.close(), port.listener.Close())
	}
	if err := e.open(o, pendingWrites); err != nil {
		return nil, errors.Join(err, e.recorder.close(), port.listener.Close())
	}
	e.close = sync.OnceValue(e.shutdown)
	limitHeap(o.memory)
	e.serve(o)
	return e, nil
}

// open opens the store and the services on it.
func (e *Emulator) open(o options, pendingWrites *lag.Overlay) error {
	var err error
	if e.store, err = store.Open(store.Options{Dir: o.dir, RootKey: o.rootKey, Encrypt: o.encrypt, Logger: o.logger,
		MinFree: o.minFree, Cache: o.memory / cacheShare, Disk: o.disk, AcceptLoss: o.acceptLoss,
		Survey: registerAndDecrypt}); err != nil {
		return err
	}
	registerNames(e.store.Names())
	e.running = e.store.NewGate()
	if err := e.openIdentities(o); err != nil {
		return errors.Join(err, e.store.Close())
	}
	if e.keys, err = kms.New(kms.Config{Store: e.store, Clock: e.clock, Logger: o.logger, Spaces: o.spaces(), Seed: o.seed,
		AccountID: accounts.ID(o.accountID), Gate: e.identity.Gate("kms"), Running: e.running}); err != nil {
		return errors.Join(err, e.store.Close())
	}
	if e.kinesis, err = kinesis.New(kinesis.Config{Store: e.store, Clock: e.clock, Logger: o.logger, Spaces: o.spaces(),
		Seed: o.seed, AccountID: accounts.ID(o.accountID), Gate: e.identity.Gate("kinesis"),
		Running: e.running}); err != nil {
		return errors.Join(err, e.keys.Close(), e.store.Close())
	}
	e.metrics = newDynamoMetrics(e.clock)
	e.dynamo, err = dynamo.New(dynamo.Config{
		Store: e.store, Clock: e.clock, Logger: o.logger, Spaces: o.spaces(), Address: e.port.listener.Addr().String(),
		Seed: o.seed, AccountID: accounts.ID(o.accountID),
		Observers: []func(*telemetry.Event){e.metrics.observe, e.recorder.observe, e.spending.observe,
			e.watcher.observeDynamoDB},
		OnItemExpired: e.itemExpired, OnTransitionEnd: e.transitionEnded,
		OnConsumption: e.spending.consume,
		OnReplicatedWrite: func(w *telemetry.ReplicatedWrite) {
			e.metrics.recorder.Replicated(w)
			e.spending.replicated(w)
		},
		Gate: e.identity.Gate("dynamodb"), PendingWrites: pendingWrites, Faults: e.faults, KMS: e.keys,
		Kinesis:    kinesisStreams{e.kinesis},
		Throttling: o.enabled(Throttling), Conflicts: o.enabled(Conflicts), States: o.enabled(States),
		Annotate: e.spending.annotate(), Pool: e.pool, Objects: buckets{e.objects},
	})
	if err != nil {
		return errors.Join(err, e.kinesis.Close(), e.keys.Close(), e.store.Close())
	}
	e.kinesis.DeliverFrom(e.dynamo.DeliverTo)
	e.metrics.begin(e.dynamo)
	e.recorder.begin(e.dynamo)
	if err := e.openAlarms(o); err != nil {
		return errors.Join(err, e.dynamo.Close(), e.kinesis.Close(), e.keys.Close(), e.store.Close())
	}
	if err := e.openScaling(o); err != nil {
		return errors.Join(err, e.alarms.Close(), e.dynamo.Close(), e.kinesis.Close(), e.keys.Close(), e.store.Close())
	}
	e.spending.begin(e)
	if err := e.openCosmos(o, pendingWrites); err != nil {
		return errors.Join(err, e.cosmos.close(context.Background()), e.scaling.Close(), e.alarms.Close(), e.dynamo.Close(),
			e.kinesis.Close(), e.keys.Close(), e.store.Close())
	}
	return nil
}

// serve serves all ports.
func (e *Emulator) serve(o options) {
	front := e.front(o)
	e.console = e.newConsole(o, front)
	front.console = e.console
	e.port.serve(front, e.memory, o.logger, nil)
	e.cosmos.serve(e.memory, o.logger, e.webGuard(o), func(h http.Handler, p *port) http.Handler {
		return withConsole(h, e.console, e.guard(o, p))
	})
}

// front returns the handler that routes the requests of the AWS port to their services. Its console is not set.
func (e *Emulator) front(o options) *front {
	guard := e.webGuard(o)
	open := func(h http.Handler) http.Handler { return guard.Wrap(h, refuseForAWS) }
	return &front{
		health: open(e.healthy(e.dynamo)),
		dynamo: open(e.dynamo), kms: open(e.budgeted(e.spending.keyRequests(e.keys), o, smallLimits)),
		cloudwatch: open(e.budgeted(e.spending.watching(e.alarms), o, cloudwatch.Limits)),
		sts:        open(e.budgeted(e.identity.STS(), o, smallLimits)),
		s3:         open(e.budgeted(e.objectServer(o), o, smallLimits)),
		kinesis:    open(e.budgeted(e.kinesis, o, smallLimits)),
		scaling:    open(e.budgeted(e.scaling, o, smallLimits)),
	}
}

// Close waits up to five seconds for requests in progress, cancels the rest, closes the store and frees the port. State
// in memory is lost. Close may be called more than once, and returns within ten seconds. Errors: ErrNotClosed, if
// something did not end in time; acknowledged writes are on disk even then.
func (e *Emulator) Close() error { return e.close() }

// ErrNotClosed reports that a request, or work of the emulator itself, did not end in time when the emulator was
// closed.
var ErrNotClosed = errors.New("the emulator did not shut down in time; acknowledged writes are on disk")

func (e *Emulator) shutdown() error {
	closed := make(chan error, 1)
	go func() { closed <- e.shutdownAll() }()
	late := time.NewTimer(e.closing)
	defer late.Stop()
	select {
	case err := <-closed:
		return err
	case <-late.C:
		return ErrNotClosed
	}
}

// shutdownAll closes everything, without a time limit.
func (e *Emulator) shutdownAll() error {
	ctx, cancel := context.WithTimeout(context.Background(), graceTimeout)
	defer cancel()
	e.faults.Release() // requests must not wait for a clock that no longer moves
	if e.console.Close != nil {
		e.console.Close()
	}
	cosmos := make(chan error, 1)
	go func() { cosmos <- e.cosmos.closePorts(ctx) }()
	err := errors.Join(e.port.close(ctx), <-cosmos)
	e.spending.used.Close()
	return errors.Join(err, e.cosmos.service.Close(), e.scaling.Close(), e.alarms.Close(), e.dynamo.Close(),
		e.kinesis.Close(), e.keys.Close(), e.objects.Close(), e.recorder.close(), e.store.Close())
}

// DynamoDBURL returns the endpoint for DynamoDB clients, such as http://127.0.0.1:8000.
func (e *Emulator) DynamoDBURL() string { return "http://" + e.port.loopbackAddr() }

// AWSConfig returns an AWS SDK configuration whose endpoint is this emulator. The region is us-east-1 and the
// credentials are dummies. In a run of Explore, clients do not wait before they send a request again.
func (e *Emulator) AWSConfig() aws.Config {
	c := aws.Config{
		Region:       "us-east-1",
		BaseEndpoint: aws.String(e.DynamoDBURL()),
		Credentials:  credentials.NewStaticCredentialsProvider("tabletop", "tabletop", ""),
	}
	if e.explored {
		c.Retryer = retryAtOnce
	}
	return c
}
