package kinesis

import (
	"context"
	"log/slog"
	"sync"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi"
	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Config configures a Service. The caller closes Store and Clock after the Service.
type Config struct {
	Store  *store.Store
	Clock  *clock.Clock
	Logger *slog.Logger // nil: nothing is logged
	// Spaces says which requests have their own streams. By default all requests share them.
	Spaces accounts.Spaces
	// AccountID is the account of streams, twelve digits; empty: accounts.Default.
	AccountID accounts.ID
	// Seed is the seed of request ids.
	Seed uint64
	// Gate authenticates and authorizes requests; nil allows everything.
	Gate identity.Gate
	// Running is passed by every request. It is closed while the store's content is replaced; nil: the content is never
	// replaced.
	Running *store.Gate
}

// Service is the emulated Kinesis. It is an http.Handler, and safe for concurrent use.
type Service struct {
	store     *store.Store
	clock     *clock.Clock
	log       *slog.Logger
	spaces    accounts.Spaces
	accountID accounts.ID
	gate      identity.Gate
	running   *store.Gate
	api       awsapi.Service[*Error]
	requests  awsapi.IDs
	logs      *changelog.Logs

	mu       sync.RWMutex
	accounts map[string]*account // by name; guarded by mu, with their contents
	logCount uint32              // number of logs created
	cancel   func()              // stops the timer; nil if there are no streams
	source   Source
}

// Source delivers records to a stream. It appends all its records for the stream with [Stream.Append], and returns when
// they are on disk.
type Source func(ctx context.Context, account, arn string) error

// New returns a Service with the streams in the store.
func New(c Config) (*Service, error) {
	s := &Service{store: c.Store, clock: c.Clock, log: c.Logger, spaces: c.Spaces, accountID: c.AccountID,
		gate: c.Gate, running: c.Running,
		logs: changelog.New(c.Store, c.Clock)}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.gate == nil {
		s.gate = identity.AllowAll()
	}
	if s.running == nil {
		s.running = s.store.NewGate()
	}
	s.api = awsapi.Service[*Error]{Name: "kinesis", Log: s.log, TooMuchWork: tooMuchWork, TooSlow: tooMuchWork,
		Busy: throttled, Internal: internalError}
	s.requests.Seed = c.Seed ^ 0x6b696e65736973 // differ from the ids of the other services
	return s, s.Reload()
}

// DeliverFrom sets the source of records other than those of requests. It must be called before the first request.
func (s *Service) DeliverFrom(source Source) { s.source = source }

// Reload reads the streams from the store again, after its content was replaced.
func (s *Service) Reload() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.logs.Reload(); err != nil {
		return err
	}
	return s.load()
}

// Close stops the removal of expired records. The store stays open.
func (s *Service) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel != nil {
		s.cancel()
	}
	s.cancel = nil
	return nil
}

// deliver makes the source deliver its records for a stream.
func (s *Service) deliver(ctx context.Context, a *account, st *stream) error {
	if s.source == nil {
		return nil
	}
	return s.source(ctx, a.name, a.arn(st.Name))
}
