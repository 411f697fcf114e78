package dynamo

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/backup"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/encryption"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/streams"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/faults"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/heatmap"
)

// Config is what a Service needs. Store and Clock are the caller's, to be closed after the Service.
type Config struct {
	Store  *store.Store
	Clock  *clock.Clock
	Logger *slog.Logger // nil: nothing is logged
	// Isolate gives each access key and region its own tables. Without it, all requests share them.
	Isolate bool
	// Address is the host and port at which clients find the service: what DescribeEndpoints tells them.
	Address string
	// Observers are told of each request once it is answered, before its client has the answer. They must be quick,
	// safe for concurrent use, and keep nothing of the event.
	Observers []func(*telemetry.Event)
	// Annotate, which may be nil, adds headers to an answer once the observers were told of it.
	Annotate func(http.Header, *telemetry.Event)
	// Expired, which may be nil, is told of each item that its time to live deleted: whose it was, its table, and when.
	Expired func(account, table string, at time.Time)
	// Settled, which may be nil, is told when a table has come to the end of a transitional state, and may have other
	// settings.
	Settled func()
	// Throttling refuses what is beyond the capacity of a table, an index, a partition or the account.
	Throttling bool
	// News says what eventually consistent reads and global indexes have not seen yet; nil where they see everything.
	PendingWrites *lag.Overlay
	// Gate says who asks and what they may do; nil lets everything pass.
	Gate identity.Gate
	// States lets tables and indexes take their time to be created, updated and deleted.
	States bool
	// Conflicts has requests that meet on an item refused, where else they wait for each other.
	Conflicts bool
	// Faults are the rules by which requests go wrong; nil for none.
	Faults *faults.Injector
	// Keys is the KMS by whose keys tables are encrypted. Without one, tables tell of keys and have none.
	Keys encryption.Keys
	// Pool is the memory that requests may hold together; nil is no bound.
	Pool *budget.Pool
	// Seed is what everything random comes from: request ids, table ids.
	Seed uint64
}

// Service is the emulated DynamoDB. It is an http.Handler.
type Service struct {
	engine  *engine.Engine
	keys    *encryption.Plane
	backups *backup.Plane

	gate      identity.Gate
	observers []func(*telemetry.Event)
	annotate  func(http.Header, *telemetry.Event)
	noting    atomic.Bool // whether events have their accesses
}

// New makes a Service of what is in the store.
func New(c Config) (*Service, error) {
	if c.Gate == nil {
		c.Gate = identity.Open()
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Settled == nil {
		c.Settled = func() {}
	}
	e := engine.NewEngine(engine.EngineConfig{
		Store: c.Store, Clock: c.Clock, Log: c.Logger, Isolate: c.Isolate, Address: c.Address, Expired: c.Expired, Settled: c.Settled,
		Throttling: c.Throttling, PendingWrites: c.PendingWrites, States: c.States, Faults: c.Faults, Pool: c.Pool,
	}, c.Conflicts, c.Seed)
	s := &Service{engine: e, keys: encryption.New(e, c.Keys), backups: &backup.Plane{Engine: e}, gate: c.Gate, observers: c.Observers, annotate: c.Annotate}
	// The order is that of their steps: the stream of a definition begins after recovery, and is sealed by the table's
	// key.
	e.Planes = []engine.Plane{s.backups, &streams.Plane{Engine: e}, s.keys, &control.Plane{}}
	if err := s.begin(); err != nil {
		return nil, err
	}
	s.keys.Watch()
	return s, nil
}

// Replace lets the operations under way end, or gives up when ctx is done before they have. Then it calls with to
// replace the store's content, and takes the tables from it anew, while no operation runs. An error of with leaves all
// as it was. Where the tables cannot be taken from the new content, every operation is refused until a Replace that
// succeeds.
func (s *Service) Replace(ctx context.Context, with func() error) error {
	defer s.engine.Faults.Release()() // who waits for a fault would not end
	if err := s.engine.Running.Close(ctx); err != nil {
		return fmt.Errorf("%w (%d of DynamoDB)", err, s.engine.Running.Inside())
	}
	defer s.engine.Running.Open()
	if err := with(); err != nil {
		return err
	}
	s.stopTimers()
	s.engine.PendingWrites.Clear()
	err := s.begin()
	if s.engine.Unloaded = err != nil; s.engine.Unloaded {
		s.stopTimers()
	}
	return err
}

func (s *Service) stopTimers() {
	s.engine.Expiry.Stop()
	s.engine.Retention.Stop()
	for _, p := range s.engine.Planes {
		p.Stop()
	}
}

// begin takes the tables from the store, without the items whose time came while nothing ran. No operation may run
// meanwhile.
func (s *Service) begin() error {
	forgetNames(s.engine.Store.Names())
	if err := s.engine.Load(); err != nil {
		return err
	}
	if err := s.keys.UpdateAvailabilities(); err != nil {
		return err
	}
	s.engine.Expiry.SweepAll()
	return nil
}

// Close lets the operations under way end, refuses others, stops the expiry of items, and writes what is kept in
// memory only: the tables' counts, which nothing may change from then on. The store stays open.
func (s *Service) Close() error {
	defer s.engine.Faults.Release()()
	if err := s.engine.Running.Close(context.Background()); err != nil {
		return err
	}
	defer s.engine.Running.Open()
	s.engine.Closed = true
	s.stopTimers()
	s.engine.PendingWrites.Clear()
	if s.engine.Unloaded { // there are no counts to keep
		return nil
	}
	return s.engine.SaveStats()
}

// NoteAccesses says whether events have what their requests wanted to do, from the next request on. It costs some
// microseconds a request; at first they have not.
func (s *Service) NoteAccesses(on bool) { s.noting.Store(on) }

// Heat is the load on every table and global index, by partition and minute, of the last three hours: the tables in the
// order of their names, each before its indexes.
func (s *Service) Heat() []heatmap.Table { return s.engine.Heat() }

// Holdings appends what each table has now, in no order.
func (s *Service) Holdings(dst []telemetry.Holding) []telemetry.Holding {
	return s.engine.Holdings(dst)
}

// BackupBytes is the size of all backups that users made; those that the service makes of deleted tables are free.
func (s *Service) BackupBytes() int64 { return s.backups.Bytes() }

// Throughputs appends what each table and global secondary index may do now, in no order.
func (s *Service) Throughputs(dst []telemetry.Throughput) []telemetry.Throughput {
	return s.engine.Throughputs(dst)
}
