package engine

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/expiry"
	"github.com/tabletop-db/tabletop/emulator/internal/faults"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/random"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Now returns the time in seconds since 1970, to the millisecond.
func (s *Engine) Now() float64 { return math.Round(float64(s.Clock.Now().UnixMilli())) / 1000 }

// Engine holds the accounts with their tables, and everything that operations need to change them and their items. Its
// state is loaded from the store.
//
// Locks are taken in this order: Running, an account's DDL, the store's latches and gates, mu.
type Engine struct {
	EngineConfig
	Random random.Stream

	// Running is passed by every use of the state, and closed by whatever replaces all of it.
	Running *store.Gate
	Closed  bool // guarded by Running
	// Unloaded is set when the store's content was replaced and the tables could not be loaded from it. Guarded by
	// Running.
	LoadFailed bool

	mu            sync.Mutex // guards Accounts and nextID
	Accounts      map[string]*Account
	SharedAccount atomic.Pointer[Account] // the one account where there is no isolation
	nextID        uint32

	Planes         []Plane
	InFlight       *inFlight // nil: conflicting requests wait for each other
	Logs           *changelog.Logs
	Expiry         *expiry.Queue
	Retention      retention
	gates          tableGates
	LastTokenPurge atomic.Int64 // in which expired client request tokens were last deleted
}

// EngineConfig is what an engine needs. Fields that the service's Config has too mean the same.
type EngineConfig struct {
	Store           *store.Store
	Clock           *clock.Clock
	Log             *slog.Logger
	Isolate         bool
	Address         string
	OnItemExpired   func(account, table string, at time.Time) // nil: not called
	OnTransitionEnd func()
	Throttling      bool
	PendingWrites   *lag.Overlay
	States          bool
	Faults          *faults.Injector
	Pool            *budget.Pool
}

// NewEngine returns an engine without any account. With conflicts, requests that conflict on an item are refused. seed
// seeds all randomness.
func NewEngine(c EngineConfig, refuseConflicts bool, seed uint64) *Engine {
	s := &Engine{EngineConfig: c, Running: c.Store.NewGate().Ranked(store.Running), Logs: changelog.New(c.Store, c.Clock)}
	if refuseConflicts {
		s.InFlight = newInFlight()
	}
	s.Random.Seed(seed)
	s.Expiry = s.newExpiry()
	return s
}

// Serving reports whether operations may use the tables. The caller holds Running.
func (s *Engine) Serving() bool { return !s.Closed && !s.LoadFailed }

// RunIfServing runs fn, which a timer or a KMS key started, unless the service is closed.
func (s *Engine) RunIfServing(fn func()) {
	if s.Running.Enter(context.Background()) != nil {
		return
	}
	defer s.Running.Leave()
	if s.Serving() {
		fn()
	}
}

// AccountNamed returns the account of that name. An account without tables is not registered, and belongs to this
// request alone, until the request creates a table: access keys that are used once leave nothing behind.
func (s *Engine) AccountNamed(name string) *Account {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a, ok := s.Accounts[name]; ok {
		return a
	}
	return NewAccount(s, name)
}

// EnsureAccount returns the account of that name, creating it if needed, while everything is loaded from the store.
func (s *Engine) EnsureAccount(name string) *Account {
	a, ok := s.Accounts[name]
	if !ok {
		a = NewAccount(s, name)
		s.Accounts[name] = a
	}
	return a
}

// CountItems reads and counts every item of a table or an index.
func (s *Engine) CountItems(id uint32, into *Stats) error {
	return s.Store.View(func(r *store.Reader) error {
		lo, hi := KeySpan(id)
		it := r.Iter(lo, hi, false)
		defer it.Close()
		for it.Next() {
			if v := it.Value(); v != nil {
				into.Add(1, int64(item.Value(v).ItemSize()))
			}
		}
		if err := it.Close(); !errors.Is(err, store.ErrLocked) { // otherwise they are counted once the key can be used
			return err
		}
		return nil
	})
}

// EachAccount calls visit for every account.
func (s *Engine) EachAccount(visit func(a *Account)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.Accounts {
		visit(a)
	}
}

// ReserveID keeps NewID from returning id again. mu must be held, as it is during Load.
func (s *Engine) ReserveID(id uint32) { s.nextID = max(s.nextID, id) }

// SortStepsPerName is the number of budget steps for sorting one name of a listing.
const SortStepsPerName = 16
