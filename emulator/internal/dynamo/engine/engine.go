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

// Now is the time in seconds since 1970, with milliseconds.
func (s *Engine) Now() float64 { return math.Round(float64(s.Clock.Now().UnixMilli())) / 1000 }

// Engine is what all operations stand on: the accounts with their tables, and the means to change these and their
// items. It is what the store has, taken from it by whoever made the engine. Planes beside it follow its tables.
//
// Locks are taken in this order: running, an account's DDL, the store's latches and gates, mu.
type Engine struct {
	EngineConfig
	Random random.Stream

	// Running is passed by whatever uses the state, and closed by what replaces all of it.
	Running *store.Gate
	Closed  bool // guarded by running
	// Unloaded is set where the tables could not be taken from a store whose content was replaced. It is guarded by
	// running.
	Unloaded bool

	mu       sync.Mutex // guards accounts and nextID
	Accounts map[string]*Account
	Shared   atomic.Pointer[Account] // the one account where there is no isolation
	nextID   uint32

	Planes      []Plane
	InFlight    *inFlight // nil: requests wait for each other
	Logs        *changelog.Logs
	Expiry      *expiry.Queue
	Retention   retention
	gates       tableGates
	TokenPeriod atomic.Int64 // in which tokens were forgotten last
}

// EngineConfig is what an engine is made of. Those of Config's names are what Config says.
type EngineConfig struct {
	Store         *store.Store
	Clock         *clock.Clock
	Log           *slog.Logger
	Isolate       bool
	Address       string
	Expired       func(account, table string, at time.Time) // nil: nobody
	Settled       func()
	Throttling    bool
	PendingWrites *lag.Overlay
	States        bool
	Faults        *faults.Injector
	Pool          *budget.Pool
}

// NewEngine makes an engine without any account. conflicts has requests that meet on an item refused; seed is what
// everything random comes from.
func NewEngine(c EngineConfig, conflicts bool, seed uint64) *Engine {
	s := &Engine{EngineConfig: c, Running: c.Store.NewGate().Ranked(store.Running), Logs: changelog.New(c.Store, c.Clock)}
	if conflicts {
		s.InFlight = newInFlight()
	}
	s.Random.Seed(seed)
	s.Expiry = s.newExpiry()
	return s
}

// Serving reports whether operations may use the tables. The caller holds running.
func (s *Engine) Serving() bool { return !s.Closed && !s.Unloaded }

// WhileServing runs what the clock or a key asks for, unless the service is closed.
func (s *Engine) WhileServing(fn func()) {
	if s.Running.Enter(context.Background()) != nil {
		return
	}
	defer s.Running.Leave()
	if s.Serving() {
		fn()
	}
}

// AccountOfKey is the account space of a request that was signed by an access key for a region.
func (s *Engine) AccountOfKey(accessKey, region string) *Account {
	if !s.Isolate {
		return s.Shared.Load()
	}
	return s.AccountNamed(accessKey + "/" + region)
}

// AccountNamed is the account of that name. One that has no tables yet is this request's own until it makes one: access
// keys that come and go leave nothing behind.
func (s *Engine) AccountNamed(name string) *Account {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a, ok := s.Accounts[name]; ok {
		return a
	}
	return NewAccount(s, name)
}

// Loading is the account of a name, while all are taken from the store.
func (s *Engine) Loading(name string) *Account {
	a, ok := s.Accounts[name]
	if !ok {
		a = NewAccount(s, name)
		s.Accounts[name] = a
	}
	return a
}

// Count reads every item of a table or an index.
func (s *Engine) Count(id uint32, into *Stats) error {
	return s.Store.View(func(r *store.Reader) error {
		lo, hi := SpaceOf(id)
		it := r.Iter(lo, hi, false)
		defer it.Close()
		for it.Next() {
			if v := it.Value(); v != nil {
				into.Add(1, int64(item.Value(v).ItemSize()))
			}
		}
		if err := it.Close(); !errors.Is(err, store.ErrLocked) { // else it is counted when its key can be opened
			return err
		}
		return nil
	})
}

// EachAccount visits every account.
func (s *Engine) EachAccount(visit func(a *Account)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.Accounts {
		visit(a)
	}
}

// UseID keeps an id from being made again. mu must be held, as it is while all is loaded.
func (s *Engine) UseID(id uint32) { s.nextID = max(s.nextID, id) }

// SortSteps is how many steps it takes to sort one of the names that a listing is made of.
const SortSteps = 16
