package kms

import (
	"log/slog"
	"sync"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi"
	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Config configures a Service. The caller closes Store and Clock after the Service.
type Config struct {
	Store  *store.Store
	Clock  *clock.Clock
	Logger *slog.Logger // nil: nothing is logged
	// Spaces says which requests have their own keys. By default all requests share them.
	Spaces accounts.Spaces
	// AccountID is the account of keys, twelve digits; empty: accounts.Default.
	AccountID accounts.ID
	// Seed is the seed of the ids of keys and requests, but not of secrets.
	Seed uint64
	// Gate authenticates and authorizes requests; nil allows everything.
	Gate identity.Gate
	// Running is passed by every request, and closed by whatever replaces the store's content; nil: nothing does.
	Running *store.Gate
}

// Service is the emulated KMS. It is an http.Handler, and safe for concurrent use.
type Service struct {
	store     *store.Store
	clock     *clock.Clock
	log       *slog.Logger
	spaces    accounts.Spaces
	accountID accounts.ID
	gate      identity.Gate
	running   *store.Gate
	seed      uint64
	api       awsapi.Service[*Error]
	requests  awsapi.IDs

	mu       sync.RWMutex
	accounts map[string]*account // by name; guarded by mu, with their contents
	idCount  uint64              // number of ids created
	cancel   func()              // stops the timer; nil if nothing is due

	watching sync.Mutex
	watchers []func()
}

// New returns a Service with the content of the store.
func New(c Config) (*Service, error) {
	s := &Service{store: c.Store, clock: c.Clock, log: c.Logger, spaces: c.Spaces, accountID: c.AccountID, seed: c.Seed,
		gate: c.Gate, running: c.Running}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.gate == nil {
		s.gate = identity.AllowAll()
	}
	if s.running == nil {
		s.running = s.store.NewGate()
	}
	s.api, s.requests.Seed = newAPI(s.log), ^s.seed
	return s, s.Reload()
}

// Reload reads the keys from the store again, after its content was replaced. It performs due rotations and deletions.
func (s *Service) Reload() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.load(); err != nil {
		return err
	}
	return s.processDue()
}

// Close stops rotations and deletions. The store stays open.
func (s *Service) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel != nil {
		s.cancel()
	}
	s.cancel = nil
	return nil
}

// Watch registers fn to be called after each change that may have made a key usable or unusable. fn may call the
// Service.
func (s *Service) Watch(fn func()) {
	s.watching.Lock()
	defer s.watching.Unlock()
	s.watchers = append(s.watchers, fn)
}

// notify calls the functions of Watch. s.mu must not be held.
func (s *Service) notify() {
	s.watching.Lock()
	watchers := s.watchers[:len(s.watchers):len(s.watchers)]
	s.watching.Unlock()
	for _, fn := range watchers {
		fn()
	}
}
