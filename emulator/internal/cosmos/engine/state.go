package engine

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/expiry"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// State is the content of an account in the store: its databases, containers and items, and everything derived from
// them.
type State struct {
	Store             *store.Store
	Clock             *clock.Clock
	Log               *slog.Logger
	Pool              *budget.Pool
	PendingWrites     *lag.Overlay
	Random            Random
	maxPartitionBytes int64 // size in bytes from which a physical partition is split
	MinIndexedItems   int64 // number of items from which on queries create indexes in a container

	// whileServing runs a function of a timer, unless the service is closed.
	whileServing func(fn func())

	Catalog   Catalog
	ridCache  *ridCache // of the current content of the store: see Load
	logs      *changelog.Logs
	Expiry    *expiry.Queue // of items
	trimTimer expiry.Timer  // of versions: see versions.go
}

// StateConfig configures a State.
type StateConfig struct {
	Store          *store.Store
	Clock          *clock.Clock
	Logger         *slog.Logger
	Pool           *budget.Pool // nil: no limit
	PendingWrites  *lag.Overlay // nil: replicas do not lag
	PartitionBytes int64        // maximum size of a physical partition; 0: 50 GB
	Seed           uint64
	WhileServing   func(fn func()) // runs fn unless the service is closed
}

// minIndexedItems is the number of items from which on queries create indexes: fewer items are scanned as fast.
const minIndexedItems = 16

// NewState returns the state of an account. Load reads its content.
func NewState(c *StateConfig) *State {
	s := &State{Store: c.Store, Clock: c.Clock, Log: c.Logger, Pool: c.Pool, PendingWrites: c.PendingWrites,
		maxPartitionBytes: cmp.Or(c.PartitionBytes, throughput.MaxPartitionBytes), MinIndexedItems: minIndexedItems,
		whileServing: c.WhileServing}
	s.Catalog.changing = c.Store.NewGate().Ranked(store.Definitions)
	s.Random.Seed(c.Seed)
	s.logs = changelog.New(s.Store, s.Clock)
	s.Expiry = s.newExpiry()
	s.trimTimer.Clock, s.trimTimer.Fire = s.Clock, s.trim
	return s
}

// Reload reads the state from a store whose content was replaced.
func (s *State) Reload() error {
	if err := s.logs.Reload(); err != nil {
		return err
	}
	return s.Load()
}

// Load reads databases and containers from the store and sets the timers for their items.
func (s *State) Load() error {
	s.ridCache = new(ridCache)
	if err := s.Catalog.load(s); err != nil {
		return err
	}
	if err := s.scheduleTrimming(); err != nil {
		return err
	}
	return s.Expiry.Schedule()
}

// StopTimers stops the timers for expiring items and versions.
func (s *State) StopTimers() {
	s.Expiry.Stop()
	s.trimTimer.Stop()
}

// Now returns the emulator's time.
func (s *State) Now() time.Time { return s.Clock.Now() }

// Internal converts an error to a wire error, as Call.Internal does, without a call.
func (s *State) Internal(err error) *wire.Error {
	if err == nil {
		return nil
	}
	var own *wire.Error
	switch {
	case errors.As(err, &own):
		return own
	case errors.Is(err, store.ErrConflict):
		return wire.RetryWith()
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded): // the client is gone
		return wire.Unavailable()
	}
	if text, ok := store.Unavailable(err); ok { // logged where it happened
		return wire.StorageUnavailable(text)
	}
	s.Log.Error("Cosmos DB: internal error of the emulator", "error", err)
	return wire.InternalError()
}
