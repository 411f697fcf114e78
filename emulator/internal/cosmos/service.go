package cosmos

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/masterkey"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/faults"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Config is what a Service needs. Store and Clock are the caller's, to be closed after the Service.
type Config struct {
	Store  *store.Store
	Clock  *clock.Clock
	Logger *slog.Logger // nil: nothing is logged
	// Keys are the account's master keys, in base64; without any, WellKnownKey alone.
	Keys []string
	// Region is the name of the account's one region; empty: South Central US.
	Region string
	// Consistency is the account's default consistency level; empty: Session.
	Consistency wire.Consistency
	// Throttling refuses what is beyond the throughput of a container or of one of its physical partitions.
	Throttling bool
	// PartitionBytes is how much a physical partition may hold before it is split; 0: 50 GB, as the service's.
	PartitionBytes int64
	// News says what replicas have not heard of yet; nil where they know everything.
	News *lag.Overlay
	// Faults are the rules by which requests go wrong; nil for none.
	Faults *faults.Injector
	// Observers are told of each request once it is answered. They must be quick and safe for concurrent use.
	Observers []func(*telemetry.Event)
	// Pool is the memory that requests may hold together; nil is no bound.
	Pool *budget.Pool
	// Seed is what everything random comes from: etags, activity ids.
	Seed uint64
}

// DefaultRegion is where an account is unless Config says otherwise.
const DefaultRegion = "South Central US"

// Service is the emulated Cosmos DB: one account. It is an http.Handler.
type Service struct {
	*operation.Account
	region    string
	faults    *faults.Injector
	observers []func(*telemetry.Event)

	// running is passed by each request, and closed by what replaces all of the state. The order of locks is running,
	// the catalogue's changing, latches of the store, mutexes.
	running *store.Gate
	closed  bool // guarded by running
	// unloaded is set where databases could not be taken from a store whose content was replaced. It is guarded by
	// running.
	unloaded bool
}

// New makes a Service of what is in the store. A key that is not base64 is an error.
func New(c Config) (*Service, error) {
	s := &Service{region: cmp.Or(c.Region, DefaultRegion), faults: c.Faults, observers: c.Observers, running: c.Store.NewGate().Ranked(store.Running)}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if len(c.Keys) == 0 {
		c.Keys = []string{masterkey.WellKnownKey}
	}
	held := engine.NewState(&engine.StateConfig{Store: c.Store, Clock: c.Clock, Logger: c.Logger, Pool: c.Pool, News: c.News,
		PartitionBytes: c.PartitionBytes, Seed: c.Seed, WhileServing: s.whileServing})
	var err error
	if s.Account, err = operation.NewAccount(held, c.Consistency, c.Keys); err != nil {
		return nil, err
	}
	s.Throttling = c.Throttling
	return s, s.Load()
}

// Replace lets the requests under way end, or gives up when ctx is done before they have. Then it calls with to replace
// the store's content, and takes databases and containers from it anew, while no request runs. An error of with leaves
// all as it was. Where they cannot be taken from the new content, every request is refused until a Replace that
// succeeds.
func (s *Service) Replace(ctx context.Context, with func() error) error {
	defer s.faults.Release()()
	if err := s.running.Close(ctx); err != nil {
		return fmt.Errorf("%w (%d of Cosmos DB)", err, s.running.Inside())
	}
	defer s.running.Open()
	if err := with(); err != nil {
		return err
	}
	s.StopTimers()
	err := s.Reload()
	if s.unloaded = err != nil; s.unloaded {
		s.StopTimers()
	}
	return err
}

// serving reports whether requests may use what is in the store. The caller holds running.
func (s *Service) serving() bool { return !s.closed && !s.unloaded }

// whileServing runs what the clock asks for, unless the service is closed.
func (s *Service) whileServing(fn func()) {
	if s.running.Enter(context.Background()) != nil {
		return
	}
	defer s.running.Leave()
	if s.serving() {
		fn()
	}
}

// Close lets the requests under way end and refuses others. The store stays open.
func (s *Service) Close() error {
	defer s.faults.Release()()
	if err := s.running.Close(context.Background()); err != nil {
		return err
	}
	defer s.running.Open()
	if s.closed {
		return errors.New("the service of Cosmos DB is closed")
	}
	s.closed = true
	s.StopTimers()
	if s.unloaded { // there are no counters to keep
		return nil
	}
	return s.Catalog.SaveCounters()
}
