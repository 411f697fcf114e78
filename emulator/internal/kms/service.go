package kms

import (
	"log/slog"
	"sync"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Config is what a Service needs. Store and Clock are the caller's, to be closed after the Service.
type Config struct {
	Store  *store.Store
	Clock  *clock.Clock
	Logger *slog.Logger // nil: nothing is logged
	// Isolate gives each access key and region its own keys. Without it, all requests share them.
	Isolate bool
	// Seed is what the ids of keys and requests come from; secrets do not.
	Seed uint64
	// Gate says who asks and what they may do; nil lets everything pass.
	Gate identity.Gate
}

// Service is the emulated KMS. It is an http.Handler, and safe for concurrent use.
type Service struct {
	store    *store.Store
	clock    *clock.Clock
	log      *slog.Logger
	isolate  bool
	gate     identity.Gate
	seed     uint64
	api      awsapi.Service[*Error]
	requests awsapi.IDs

	mu       sync.RWMutex
	accounts map[string]*account // by name; guarded by mu, as all that they hold
	made     uint64              // ids made so far
	cancel   func()              // of the next alarm; nil when nothing is due

	watching sync.Mutex
	watchers []func()
}

// New makes a Service of what is in the store.
func New(c Config) (*Service, error) {
	s := &Service{store: c.Store, clock: c.Clock, log: c.Logger, isolate: c.Isolate, seed: c.Seed, gate: c.Gate}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.gate == nil {
		s.gate = identity.Open()
	}
	s.api, s.requests.Seed = newAPI(s.log), ^s.seed
	return s, s.Reload()
}

// Reload takes the keys from the store anew, after all of its content was replaced. Rotations and deletions whose time
// has come are made up for.
func (s *Service) Reload() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.load(); err != nil {
		return err
	}
	return s.settle()
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

// Watch has fn called whenever a key may have become usable, or unusable, after the change. fn may ask the Service.
func (s *Service) Watch(fn func()) {
	s.watching.Lock()
	defer s.watching.Unlock()
	s.watchers = append(s.watchers, fn)
}

// notify tells those who watch. s.mu must not be held.
func (s *Service) notify() {
	s.watching.Lock()
	watchers := s.watchers[:len(s.watchers):len(s.watchers)]
	s.watching.Unlock()
	for _, fn := range watchers {
		fn()
	}
}
