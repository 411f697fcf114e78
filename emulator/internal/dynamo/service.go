package dynamo

import (
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
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
	random  random

	// running is held, shared, by whatever uses the state, and alone by what replaces all of it.
	running sync.RWMutex

	mu       sync.Mutex // guards accounts and nextID
	accounts map[string]*account
	shared   atomic.Pointer[account] // the one account where there is no isolation
	nextID   uint32

	expiry      expiry
	tokenPeriod atomic.Int64 // in which tokens were forgotten last
}

// New makes a Service of what is in the store.
func New(c Config) (*Service, error) {
	s := &Service{store: c.Store, clock: c.Clock, log: c.Logger, isolate: c.Isolate, address: c.Address}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.random.seed(c.Seed)
	return s, s.load()
}

// Replace lets the operations under way end, has with replace the store's content, and takes the tables
// from it anew, while no operation runs.
func (s *Service) Replace(with func() error) error {
	s.running.Lock()
	defer s.running.Unlock()
	s.expiry.stop()
	if err := with(); err != nil {
		return err
	}
	return s.load()
}

// Close writes what is kept in memory only, the tables' counts, and stops the expiry of items. The store
// stays open.
func (s *Service) Close() error {
	s.expiry.stop()
	return s.saveStats()
}

// account is the account space of a request.
func (s *Service) account(who scope) *account {
	if !s.isolate {
		return s.shared.Load()
	}
	return s.accountNamed(who.accessKey + "/" + who.region)
}

func (s *Service) accountNamed(name string) *account {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, ok := s.accounts[name]
	if !ok {
		a = newAccount(s, name)
		s.accounts[name] = a
	}
	return a
}
