package engine

import (
	"cmp"
	"log/slog"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/expiry"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// State is what an account holds: its databases, containers and items, in the store, and what follows from them.
type State struct {
	Store     *store.Store
	Clock     *clock.Clock
	Log       *slog.Logger
	Pool      *budget.Pool
	News      *lag.Overlay
	Random    Random
	fullAt    int64 // bytes in a physical partition that are too many
	IndexFrom int64 // items of a container from which on its queries make indexes

	// whileServing runs what the clock asks for, unless the service is closed.
	whileServing func(fn func())

	Catalog  Catalog
	rids     *knownRIDs // of the store's content as it is: see load
	logs     *changelog.Logs
	Expiry   *expiry.Queue // of items
	trimming expiry.Timer  // of versions: see versions.go
}

// StateConfig is what a state needs.
type StateConfig struct {
	Store          *store.Store
	Clock          *clock.Clock
	Logger         *slog.Logger
	Pool           *budget.Pool // nil: no bound
	News           *lag.Overlay // nil: replicas know everything
	PartitionBytes int64        // in a physical partition; 0: 50 GB
	Seed           uint64
	WhileServing   func(fn func()) // runs fn unless the service is closed
}

// NewState makes the state of an account, of which nothing is loaded yet.
func NewState(c *StateConfig) *State {
	s := &State{Store: c.Store, Clock: c.Clock, Log: c.Logger, Pool: c.Pool, News: c.News,
		fullAt: cmp.Or(c.PartitionBytes, throughput.MaxPartitionBytes), IndexFrom: minIndexed, whileServing: c.WhileServing}
	s.Catalog.changing = c.Store.NewGate().Ranked(store.Definitions)
	s.Random.Seed(c.Seed)
	s.logs = changelog.New(s.Store, s.Clock)
	s.Expiry = s.newExpiry()
	s.trimming.Clock, s.trimming.Fire = s.Clock, s.trim
	return s
}

// Reload takes the state from a store whose content was replaced.
func (s *State) Reload() error {
	if err := s.logs.Reload(); err != nil {
		return err
	}
	return s.Load()
}

// Load takes databases and containers from the store, and sets the timers of what is in them.
func (s *State) Load() error {
	s.rids = new(knownRIDs)
	if err := s.Catalog.load(s); err != nil {
		return err
	}
	if err := s.scheduleTrimming(); err != nil {
		return err
	}
	return s.Expiry.Schedule()
}

// StopTimers stops the timers of what expires.
func (s *State) StopTimers() {
	s.Expiry.Stop()
	s.trimming.Stop()
}

// Now is the emulator's time.
func (s *State) Now() time.Time { return s.Clock.Now() }
