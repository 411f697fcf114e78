package cosmos

import (
	"cmp"
	"log/slog"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/expiry"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// state is what an account holds: its databases, containers and items, in the store, and what follows from them.
type state struct {
	store     *store.Store
	clock     *clock.Clock
	log       *slog.Logger
	pool      *budget.Pool
	news      *lag.Overlay
	random    Random
	fullAt    int64 // bytes in a physical partition that are too many
	indexFrom int64 // items of a container from which on its queries make indexes

	// whileServing runs what the clock asks for, unless the service is closed.
	whileServing func(fn func())

	catalog  catalog
	rids     *knownRIDs // of the store's content as it is: see load
	logs     *changelog.Logs
	expiry   *expiry.Queue // of items
	trimming expiry.Timer  // of versions: see versions.go
}

// stateConfig is what a state needs.
type stateConfig struct {
	Store          *store.Store
	Clock          *clock.Clock
	Logger         *slog.Logger
	Pool           *budget.Pool // nil: no bound
	News           *lag.Overlay // nil: replicas know everything
	PartitionBytes int64        // in a physical partition; 0: 50 GB
	Seed           uint64
	WhileServing   func(fn func()) // runs fn unless the service is closed
}

// newState makes the state of an account, of which nothing is loaded yet.
func newState(c *stateConfig) *state {
	s := &state{store: c.Store, clock: c.Clock, log: c.Logger, pool: c.Pool, news: c.News,
		fullAt: cmp.Or(c.PartitionBytes, maxPartitionBytes), indexFrom: minIndexed, whileServing: c.WhileServing}
	s.catalog.changing = c.Store.NewGate()
	s.random.Seed(c.Seed)
	s.logs = changelog.New(s.store, s.clock)
	s.expiry = s.newExpiry()
	s.trimming.Clock, s.trimming.Fire = s.clock, s.trim
	return s
}

// reload takes the state from a store whose content was replaced.
func (s *state) reload() error {
	if err := s.logs.Reload(); err != nil {
		return err
	}
	return s.load()
}

// load takes databases and containers from the store, and sets the timers of what is in them.
func (s *state) load() error {
	s.rids = new(knownRIDs)
	if err := s.catalog.load(s); err != nil {
		return err
	}
	if err := s.scheduleTrimming(); err != nil {
		return err
	}
	return s.expiry.Schedule()
}

func (s *state) stopTimers() {
	s.expiry.Stop()
	s.trimming.Stop()
}

// now is the emulator's time.
func (s *state) now() time.Time { return s.clock.Now() }
