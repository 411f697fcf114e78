package autoscaling

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi"
	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/cloudwatch"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/emulator/internal/metrics"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Config configures a Service. The caller closes Store and Clock after the Service.
type Config struct {
	Store   *store.Store
	Clock   *clock.Clock
	Metrics *metrics.Registry // with the capacity that tables and indexes consume
	Alarms  *cloudwatch.Service
	Tables  Tables
	Logger  *slog.Logger // nil: nothing is logged
	// Spaces says which requests have their own targets. By default all requests share them.
	Spaces accounts.Spaces
	// AccountID is the account of targets, twelve digits; empty: accounts.Default.
	AccountID accounts.ID
	// Seed is the seed of ids.
	Seed uint64
	// Gate authenticates and authorizes requests; nil allows everything.
	Gate identity.Gate
	// Running is passed by every request and by the timer, and closed by whatever replaces the store's content.
	Running *store.Gate
}

// Tables are the tables whose capacity is scaled. An empty index is the table itself.
type Tables interface {
	// Capacity returns the provisioned capacity; ok is false if there is no such table or index.
	Capacity(ctx context.Context, account, table, index string) (c Capacity, ok bool, err error)
	// SetCapacity changes the provisioned capacity, which may take a while. Errors: as UpdateTable; their text is the
	// message.
	SetCapacity(ctx context.Context, account, table, index string, reads, writes int64) error
}

// Capacity is the provisioned capacity of a table or of an index, in units per second.
type Capacity struct {
	Reads, Writes int64 // 0 on demand
	Changing      bool  // the table or the index is not ACTIVE
}

// Service is the emulated Application Auto Scaling. It is an http.Handler, and safe for concurrent use.
type Service struct {
	store     *store.Store
	clock     *clock.Clock
	metrics   *metrics.Registry
	alarms    *cloudwatch.Service
	tables    Tables
	log       *slog.Logger
	spaces    accounts.Spaces
	accountID accounts.ID
	seed      uint64
	gate      identity.Gate
	running   *store.Gate
	api       awsapi.Service[*Error]
	requests  awsapi.IDs

	changes *store.Gate // closed by one change of targets at a time; taken after running
	idCount uint64      // number of ids that were made; guarded by changes

	mu         sync.RWMutex
	targets    map[key]*target // immutable
	activities []*activity     // immutable; the newest last
	numbers    uint64          // number of the newest activity
	woken      map[key]bool    // targets that the timer looks after
	retries    map[key]time.Time
	recheck    time.Time // when activities in progress are checked; zero: there are none
	cancel     func()    // stops the timer; nil: there is none
	closed     bool
}

// New returns a Service with the content of the store.
func New(c Config) (*Service, error) {
	s := &Service{
		store: c.Store, clock: c.Clock, metrics: c.Metrics, alarms: c.Alarms, tables: c.Tables, log: c.Logger,
		spaces: c.Spaces, accountID: c.AccountID, gate: c.Gate, running: c.Running, changes: c.Store.NewGate(),
		seed: c.Seed ^ 0x7363616c696e67, // differ from the ids of the other services
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.gate == nil {
		s.gate = identity.AllowAll()
	}
	s.api = awsapi.Service[*Error]{Name: "application-autoscaling", Log: s.log, TooMuchWork: tooMuchWork,
		TooSlow: tooMuchWork, Busy: throttled, Internal: internalError}
	s.requests.Seed = ^s.seed
	return s, s.Reload()
}

// Reload reads everything from the store again, after its content was replaced. The timer then looks after all targets.
func (s *Service) Reload() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.load()
	for k := range s.targets {
		s.woken[k] = true
	}
	s.schedule(time.Time{})
	return err
}

// Close stops the timer. The store stays open.
func (s *Service) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.schedule(time.Time{})
	return nil
}
