package cosmos

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/history"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/masterkey"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/faults"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Config configures a Service. The caller closes Store and Clock after the Service.
type Config struct {
	Store  *store.Store
	Clock  *clock.Clock
	Logger *slog.Logger // nil: no log
	// Keys are the account's master keys in base64. Default: WellKnownKey.
	Keys []string
	// Region is the name of the account's only region. Default: DefaultRegion.
	Region string
	// Consistency is the account's default consistency level. Default: Session.
	Consistency wire.Consistency
	// Throttling rejects requests beyond the throughput of a container or of one of its physical partitions.
	Throttling bool
	// PartitionBytes is the size at which a physical partition is split. Default: 50 GB, as in the service.
	PartitionBytes int64
	// PendingWrites holds the writes that have not reached the replicas yet; nil: replicas do not lag.
	PendingWrites *lag.Overlay
	// Faults are the fault rules; nil: none.
	Faults *faults.Injector
	// ContinuousBackup is how long earlier states of containers can be read and restored; 0: there are none.
	ContinuousBackup time.Duration
	// Observers are called for each request before its response is sent. They must return quickly and be safe for
	// concurrent use.
	Observers []func(*telemetry.Event)
	// Pool is the memory for all requests; nil: no limit.
	Pool *budget.Pool
	// Seed seeds everything random: ETags, activity ids.
	Seed uint64
}

// DefaultRegion is the default region of an account.
const DefaultRegion = "South Central US"

// Service is one emulated Cosmos DB account. It is an http.Handler.
type Service struct {
	*operation.Account
	region    string
	faults    *faults.Injector
	histories *history.Service
	observers []func(*telemetry.Event)

	// running is passed by each request and closed to replace the whole state. Locks are taken in this order: running,
	// the catalogue's changing, latches of the store, mutexes.
	running *store.Gate
	closed  bool // guarded by running
	// unloaded is set if the databases could not be read from a store whose content was replaced. It is guarded by
	// running.
	unloaded bool
}

// New returns a Service with the content of the store. Errors: a key that is not base64, an unknown consistency level,
// an unreadable store.
func New(c Config) (*Service, error) {
	s := &Service{region: cmp.Or(c.Region, DefaultRegion), faults: c.Faults, observers: c.Observers,
		running: c.Store.NewGate().Ranked(store.Running)}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if len(c.Keys) == 0 {
		c.Keys = []string{masterkey.WellKnownKey}
	}
	held := engine.NewState(&engine.StateConfig{Store: c.Store, Clock: c.Clock, Logger: c.Logger, Pool: c.Pool,
		PendingWrites:  c.PendingWrites,
		PartitionBytes: c.PartitionBytes, BackupPeriod: c.ContinuousBackup, Seed: c.Seed, WhileServing: s.whileServing})
	var err error
	if s.Account, err = operation.NewAccount(held, c.Consistency, c.Keys); err != nil {
		return nil, err
	}
	s.Throttling = c.Throttling
	s.histories = history.New(s.Account)
	return s, s.Load()
}

// Replace replaces the store's content. It waits for running requests to end, or until ctx is done, then calls with
// while no request runs, and reads the databases and containers from the new content. If with fails, nothing changes.
// If the new content cannot be read, all requests fail until a Replace succeeds.
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
	s.histories.Clear()
	err := s.Reload()
	if s.unloaded = err != nil; s.unloaded {
		s.StopTimers()
	}
	return err
}

// serving reports whether requests may use the store. The caller holds running.
func (s *Service) serving() bool { return !s.closed && !s.unloaded }

// whileServing runs a function of a timer, unless the service is closed.
func (s *Service) whileServing(fn func()) {
	if s.running.Enter(context.Background()) != nil {
		return
	}
	defer s.running.Leave()
	if s.serving() {
		fn()
	}
}

// Close waits for running requests and rejects later ones. It does not close the store.
func (s *Service) Close() error {
	defer s.faults.Release()()
	if err := s.running.Close(context.Background()); err != nil {
		return err
	}
	defer s.running.Open()
	if s.closed {
		return errors.New("the Cosmos DB service is closed")
	}
	s.closed = true
	s.StopTimers()
	s.StopCounting()
	s.histories.Clear()
	if s.unloaded { // there are no counters to save
		return nil
	}
	return s.Catalog.SaveCounters()
}
