package dynamo

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi"
	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/backup"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/destination"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/encryption"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/history"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/streams"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/transfer"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/faults"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/model/heatmap"
	"github.com/tabletop-db/tabletop/internal/model/iam"
)

// Config configures a Service. The caller owns Store and Clock, and closes them after the Service.
type Config struct {
	Store  *store.Store
	Clock  *clock.Clock
	Logger *slog.Logger // nil: no logging
	// Spaces says which requests have their own tables. By default all requests share them.
	Spaces accounts.Spaces
	// AccountID is the account of tables, twelve digits; empty: accounts.Default.
	AccountID accounts.ID
	// Address is the host and port at which clients reach the service, as DescribeEndpoints returns them.
	Address string
	// Observers are called with each request after it is answered and before the client gets the response. They must be
	// quick, safe for concurrent use, and retain nothing of the event.
	Observers []func(*telemetry.Event)
	// Annotate, which may be nil, adds headers to a response after the observers were called.
	Annotate func(http.Header, *telemetry.Event)
	// OnItemExpired, which may be nil, is called for each item that time to live deleted, with its account, table and
	// time.
	OnItemExpired func(account, table string, at time.Time)
	// OnTransitionEnd, which may be nil, is called when a table leaves a transitional state and may have other
	// settings.
	OnTransitionEnd func()
	// OnConsumption, which may be nil, is called for what an account consumes without a request, or after the answer to
	// it. Events have the rest.
	OnConsumption func(account string, c telemetry.Consumption)
	// OnReplicatedWrite, which may be nil, is called when a write reaches a replica in another region, or is throttled
	// there.
	OnReplicatedWrite func(*telemetry.ReplicatedWrite)
	// Throttling enables throttling: requests beyond the capacity of a table, an index, a partition or the account
	// fail.
	Throttling bool
	// PendingWrites holds the writes that eventually consistent reads and global indexes do not show yet; nil: they
	// show all.
	PendingWrites *lag.Overlay
	// Gate authenticates and authorizes requests; nil lets everything pass.
	Gate identity.Gate
	// States enables transitional states: tables and indexes take time to be created, updated and deleted.
	States bool
	// Conflicts enables transaction conflicts: requests that conflict on an item fail instead of waiting for each
	// other.
	Conflicts bool
	// Faults are the fault rules; nil for none.
	Faults *faults.Injector
	// Kinesis has the streams that tables' changes are delivered to; nil: there are none.
	Kinesis destination.Kinesis
	// KMS is the KMS whose keys encrypt tables. Without it, tables report keys but are not encrypted.
	KMS encryption.KMS
	// Objects are the buckets that tables are exported to and imported from; nil: there are no buckets.
	Objects Objects
	// Pool is the memory that all requests share; nil is unlimited.
	Pool *budget.Pool
	// Seed seeds all randomness: request ids, table ids.
	Seed uint64
}

// KinesisStream is a Kinesis stream that tables' changes are delivered to.
type KinesisStream = destination.Stream

// Objects are the buckets that tables are exported to and imported from.
type Objects = transfer.Objects

// ObjectWriter writes an object in a bucket.
type ObjectWriter = transfer.ObjectWriter

// Service is the emulated DynamoDB. It is an http.Handler.
type Service struct {
	engine       *engine.Engine
	keys         *encryption.Extension
	backups      *backup.Extension
	destinations *destination.Extension
	transfers    *transfer.Extension
	histories    *history.Extension

	api            awsapi.Service[*wire.Error]
	gate           identity.Gate
	observers      []func(*telemetry.Event)
	annotate       func(http.Header, *telemetry.Event)
	recordAccesses atomic.Bool // whether events have their Accesses
}

// New returns a Service for the state in the store.
func New(c Config) (*Service, error) {
	if c.Gate == nil {
		c.Gate = identity.AllowAll()
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Objects == nil {
		c.Objects = transfer.NoObjects{}
	}
	if c.OnTransitionEnd == nil {
		c.OnTransitionEnd = func() {}
	}
	e := engine.NewEngine(engine.EngineConfig{
		Store: c.Store, Clock: c.Clock, Log: c.Logger, Spaces: c.Spaces, AccountID: c.AccountID, Address: c.Address,
		OnItemExpired:   c.OnItemExpired,
		OnTransitionEnd: c.OnTransitionEnd, OnReplicatedWrite: c.OnReplicatedWrite,
		OnConsumption: c.OnConsumption,
		Throttling:    c.Throttling, PendingWrites: c.PendingWrites, States: c.States, Faults: c.Faults, Pool: c.Pool,
	}, c.Conflicts, c.Seed)
	s := &Service{
		engine: e, keys: encryption.New(e, c.KMS), backups: &backup.Extension{Engine: e}, gate: c.Gate,
		destinations: &destination.Extension{Engine: e, Kinesis: c.Kinesis},
		transfers:    &transfer.Extension{Engine: e, Objects: c.Objects, Gate: c.Gate},
		histories:    history.NewExtension(),
		observers:    c.Observers,
		annotate:     c.Annotate,
		api: awsapi.Service[*wire.Error]{
			Name: "dynamodb", Log: c.Logger, TooMuchWork: wire.TooMuchWork, TooSlow: wire.TooMuchWork, Busy: wire.BusyError,
			Internal: wire.InternalError,
		},
	}
	// The order is the order of their steps: the stream of a definition begins after recovery, and is sealed by the
	// table's key.
	e.Extensions = []engine.Extension{s.backups, &streams.Extension{Engine: e}, s.destinations, s.keys,
		&control.Extension{}, s.transfers, s.histories}
	if err := s.load(); err != nil {
		return nil, err
	}
	s.keys.Watch()
	e.FinishInBackground()
	return s, nil
}

// Replace interrupts the operations that copy or index much data, and waits for those in progress to end, or gives up
// when ctx is done. Then it calls replace, which replaces the store's content, and loads the tables from the store,
// while no operation runs. If replace returns an error, the service continues unchanged. If the tables cannot be loaded
// from the new content, every operation fails until a later Replace succeeds.
func (s *Service) Replace(ctx context.Context, replace func() error) error {
	defer s.engine.Faults.Release()() // operations that wait for a fault would not end
	s.engine.InterruptWork()
	if err := s.engine.Running.Close(ctx); err != nil {
		s.engine.ResumeWork()
		return fmt.Errorf("%w (%d of DynamoDB)", err, s.engine.Running.Inside())
	}
	defer s.engine.Running.Open()
	defer s.engine.ResumeWork()
	if err := replace(); err != nil {
		return err
	}
	s.stopTimers()
	s.engine.PendingWrites.Clear()
	err := s.load()
	if s.engine.LoadFailed = err != nil; s.engine.LoadFailed {
		s.stopTimers()
	}
	return err
}

func (s *Service) stopTimers() {
	s.engine.Expiry.Stop()
	s.engine.Retention.Stop()
	s.engine.StopReplication()
	for _, p := range s.engine.Extensions {
		p.Stop()
	}
}

// load loads the tables from the store and deletes the items that expired while no process ran. No operation may run
// during it.
func (s *Service) load() error {
	forgetNames(s.engine.Store.Names())
	if err := s.engine.Load(); err != nil {
		return err
	}
	if err := s.keys.UpdateAvailabilities(); err != nil {
		return err
	}
	s.engine.Expiry.SweepAll()
	s.engine.Replicate()
	return nil
}

// Close interrupts the operations that copy or index much data, waits for those in progress to end, refuses new ones,
// stops the expiry of items, and writes what is only in memory: the tables' counts, which nothing may change
// afterwards. The store stays open.
func (s *Service) Close() error {
	defer s.engine.Faults.Release()()
	s.engine.InterruptWork()
	if err := s.engine.Running.Close(context.Background()); err != nil {
		return err
	}
	defer s.engine.Running.Open()
	s.engine.Closed = true
	s.stopTimers()
	s.engine.StopCounting()
	s.engine.PendingWrites.Clear()
	if s.engine.LoadFailed { // there are no counts to save
		return nil
	}
	return s.engine.SaveStats()
}

// RecordAccesses sets whether events contain the accesses that their requests need, from the next request on. It costs
// a few microseconds per request and is off at first.
func (s *Service) RecordAccesses(on bool) { s.recordAccesses.Store(on) }

// DeliverTo delivers the changes of an account's tables that are due for a Kinesis stream.
func (s *Service) DeliverTo(ctx context.Context, account, arn string) error {
	return s.destinations.DeliverTo(ctx, account, arn)
}

// Heat returns the load on every table and global index in the last three hours, by partition and minute. Tables are
// sorted by name, each before its indexes.
func (s *Service) Heat() []heatmap.Table { return s.engine.Heat() }

// ResourcePolicy returns the policy of the table or stream of an ARN, or nil.
func (s *Service) ResourcePolicy(arn string) *iam.Policy { return s.engine.PolicyOf(arn) }

// AppendTableResources appends the current sizes and provisioned capacity of each table, in no particular order.
func (s *Service) AppendTableResources(dst []telemetry.TableResources) []telemetry.TableResources {
	return s.engine.AppendTableResources(dst)
}

// BackupBytes returns the size of all backups that users made. System backups of deleted tables are free.
func (s *Service) BackupBytes() int64 { return s.backups.Bytes() }

// AppendThroughputs appends the current throughput settings of each table and global secondary index, in no particular
// order.
func (s *Service) AppendThroughputs(dst []telemetry.Throughput) []telemetry.Throughput {
	return s.engine.AppendThroughputs(dst)
}
