package dynamo

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/expiry"
	"github.com/tabletop-db/tabletop/emulator/internal/faults"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/random"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
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
	// Observers are told of each request once it is answered, before its client has the answer. They must be quick, safe for
	// concurrent use, and keep nothing of the event.
	Observers []func(*telemetry.Event)
	// Annotate, which may be nil, adds headers to an answer once the observers were told of it.
	Annotate func(http.Header, *telemetry.Event)
	// Expired, which may be nil, is told of each item that its time to live deleted: whose it was, its table, and when.
	Expired func(account, table string, at time.Time)
	// Settled, which may be nil, is told when a table has come to the end of a transitional state, and may have other settings.
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
	Keys Keys
	// Pool is the memory that requests may hold together; nil is no bound.
	Pool *budget.Pool
	// Seed is what everything random comes from: request ids, table ids.
	Seed uint64
}

// Service is the emulated DynamoDB. It is an http.Handler.
type Service struct {
	store   *store.Store
	clock   *clock.Clock
	log     *slog.Logger
	isolate bool
	address string
	random  random.Stream

	gate       identity.Gate
	observers  []func(*telemetry.Event)
	annotate   func(http.Header, *telemetry.Event)
	expired    func(account, table string, at time.Time)
	settled    func() // never nil
	throttling bool
	states     bool
	pool       *budget.Pool

	// running is passed by whatever uses the state, and closed by what replaces all of it. The order of locks is running, the ddl
	// of an account, latches of the store, mu.
	running *store.Gate
	closed  bool // guarded by running
	// unloaded is set where the tables could not be taken from a store whose content was replaced. It is guarded by running.
	unloaded bool

	noting atomic.Bool // whether events have their accesses

	mu       sync.Mutex // guards accounts and nextID
	accounts map[string]*account
	shared   atomic.Pointer[account] // the one account where there is no isolation
	nextID   uint32

	pendingWrites *lag.Overlay
	inFlight      *inFlight // nil: requests wait for each other
	faults        *faults.Injector
	logs          *changelog.Logs
	expiry        *expiry.Queue
	retention     retention
	keys          Keys
	tableKeys     tableKeys
	gates         tableGates
	keyTimer      keyTimer
	tokenPeriod   atomic.Int64 // in which tokens were forgotten last
}

// New makes a Service of what is in the store.
func New(c Config) (*Service, error) {
	s := &Service{store: c.Store, clock: c.Clock, log: c.Logger, isolate: c.Isolate, address: c.Address, observers: c.Observers, annotate: c.Annotate, expired: c.Expired, throttling: c.Throttling, states: c.States, pool: c.Pool, running: c.Store.NewGate().Ranked(store.Running)}
	if s.gate = c.Gate; s.gate == nil {
		s.gate = identity.Open()
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.settled = c.Settled; s.settled == nil {
		s.settled = func() {}
	}
	s.pendingWrites, s.faults, s.keys = c.PendingWrites, c.Faults, c.Keys
	if c.Conflicts {
		s.inFlight = newInFlight()
	}
	s.random.Seed(c.Seed)
	s.expiry = s.newExpiry()
	s.logs = changelog.New(c.Store, c.Clock)
	if err := s.begin(); err != nil {
		return nil, err
	}
	if s.keys != nil {
		s.keys.Watch(s.keysChanged)
	}
	return s, nil
}

// Replace lets the operations under way end, or gives up when ctx is done before they have. Then it calls with to replace the store's content, and takes the tables from it anew,
// while no operation runs. An error of with leaves all as it was. Where the tables cannot be taken from the new content, every
// operation is refused until a Replace that succeeds.
func (s *Service) Replace(ctx context.Context, with func() error) error {
	defer s.faults.Release()() // who waits for a fault would not end
	if err := s.running.Close(ctx); err != nil {
		return fmt.Errorf("%w (%d of DynamoDB)", err, s.running.Inside())
	}
	defer s.running.Open()
	if err := with(); err != nil {
		return err
	}
	s.stopTimers()
	s.pendingWrites.Clear()
	err := s.begin()
	if s.unloaded = err != nil; s.unloaded {
		s.stopTimers()
	}
	return err
}

// serving reports whether operations may use the tables. The caller holds running.
func (s *Service) serving() bool { return !s.closed && !s.unloaded }

// whileServing runs what the clock or a key asks for, unless the service is closed.
func (s *Service) whileServing(fn func()) {
	if s.running.Enter(context.Background()) != nil {
		return
	}
	defer s.running.Leave()
	if s.serving() {
		fn()
	}
}

func (s *Service) stopTimers() {
	s.expiry.Stop()
	s.retention.stop()
	s.keyTimer.stop()
}

// begin takes the tables from the store, without the items whose time came while nothing ran. No operation may run
// meanwhile.
func (s *Service) begin() error {
	if err := s.load(); err != nil {
		return err
	}
	if err := s.updateAvailabilities(); err != nil {
		return err
	}
	s.expiry.SweepAll()
	return nil
}

// Close lets the operations under way end, refuses others, stops the expiry of items, and writes what is kept in
// memory only: the tables' counts, which nothing may change from then on. The store stays open.
func (s *Service) Close() error {
	defer s.faults.Release()()
	if err := s.running.Close(context.Background()); err != nil {
		return err
	}
	defer s.running.Open()
	s.closed = true
	s.stopTimers()
	s.pendingWrites.Clear()
	if s.unloaded { // there are no counts to keep
		return nil
	}
	return s.saveStats()
}

// account is the account space of a request.
func (s *Service) account(who scope) *account {
	if !s.isolate {
		return s.shared.Load()
	}
	return s.accountNamed(who.accessKey + "/" + who.region)
}

// accountNamed is the account of that name. One that has no tables yet is this request's own until it makes one: access
// keys that come and go leave nothing behind.
func (s *Service) accountNamed(name string) *account {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a, ok := s.accounts[name]; ok {
		return a
	}
	return newAccount(s, name)
}

// lockTables keeps the account of a request, and lets the request alone change its tables; defined must follow where it returns nil. Errors:
// the cause of the request's end.
func (a *request) lockTables() error {
	for {
		a.account = a.account.intern()
		if err := a.account.ddl.Close(a.waiting()); err != nil {
			return err
		}
		if a.account.intern() == a.account { // else it was forgotten meanwhile, and another one has its name
			return nil
		}
		a.account.ddl.Open()
	}
}

// unlockTables ends a change of tables. An account that has nothing any more is forgotten, so that access keys that make tables and
// delete them leave nothing behind either. a.ddl must be closed.
func (a *account) unlockTables() {
	if a.empty() {
		a.service.mu.Lock()
		if a.name != "" && a.service.accounts[a.name] == a {
			delete(a.service.accounts, a.name)
		}
		a.service.mu.Unlock()
	}
	a.ddl.Open()
}

// empty reports whether the account has no tables, nor what is left of tables, nor any on their way. a.ddl must be closed.
func (a *account) empty() bool {
	a.transitions.mu.Lock()
	defer a.transitions.mu.Unlock()
	return len(*a.tables.Load())+len(*a.streams.Load())+len(*a.backups.Load())+len(a.restoring)+len(a.transitions.of) == 0
}

// intern is the account of a's name that all requests share from now on: a itself, if it is the first to be kept.
func (a *account) intern() *account {
	a.service.mu.Lock()
	defer a.service.mu.Unlock()
	if known, ok := a.service.accounts[a.name]; ok {
		return known
	}
	a.service.accounts[a.name] = a
	return a
}
