package cloudwatch

import (
	"log/slog"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi"
	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/emulator/internal/metrics"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Config is what a Service needs. Store and Clock are the caller's, to be closed after the Service.
type Config struct {
	Store   *store.Store
	Clock   *clock.Clock
	Metrics *metrics.Registry
	Logger  *slog.Logger // nil: nothing is logged
	// Isolate gives each access key and region its own metrics and alarms. Without it, all requests share them.
	Isolate bool
	// Gate says who may do what; nil lets everything pass.
	Gate identity.Gate
	// Webhook is where the actions of alarms go.
	Webhook Webhook
	// Pool is what the evaluations of alarms take memory from; nil is no bound. Those of requests are in their
	// contexts.
	Pool *budget.Pool
	// Seed is what everything random comes from: the ids of requests and messages.
	Seed uint64
}

// Service is the emulated CloudWatch. It is an http.Handler.
type Service struct {
	store      *store.Store
	clock      *clock.Clock
	metrics    *metrics.Registry
	log        *slog.Logger
	isolate    bool
	gate       identity.Gate
	operations map[string]operation
	sender     *sender
	pool       *budget.Pool

	api awsapi.Service[*Error]
	ids awsapi.IDs // of answers and of notifications

	mu       sync.Mutex // held by whatever looks at or changes the alarms
	alarms   map[alarmKey]*alarm
	schedule schedule
	events   uint64 // the number of the newest item of history
	timer    timer
	closed   bool

	evaluations int // of alarms so far, which tests count
}

// Limits are what one request may use, or one evaluation of an alarm, within a pool of memory; they are choices of
// ours. A step is a value that metric math looks at or makes, some 100 ns.
func Limits(pool *budget.Pool) budget.Limits {
	return budget.Limits{Steps: 5_000_000, Bytes: 512 << 20, Time: 30 * time.Second, Pool: pool}
}

// New makes a Service of the alarms that are in the store.
func New(c Config) (*Service, error) {
	s := &Service{
		store: c.Store, clock: c.Clock, metrics: c.Metrics, log: c.Logger, isolate: c.Isolate, gate: c.Gate, pool: c.Pool,
		operations: operations(),
		ids:        awsapi.IDs{Seed: c.Seed ^ 0x616c61726d73}, // not the ids that KMS makes
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.api = newAPI(s.log)
	if s.gate == nil {
		s.gate = identity.Open()
	}
	s.sender = newSender(c.Webhook, s.delivered, func(reason any, stack []byte) {
		s.log.Error("a notification panicked", "panic", reason, "stack", string(stack))
	})
	if err := s.Reload(); err != nil {
		return nil, err
	}
	s.metrics.OnNews(s.observed)
	return s, nil
}

// Close stops the evaluation of alarms. What they have sent and was not delivered yet is lost.
func (s *Service) Close() error {
	s.metrics.OnNews(nil)
	s.mu.Lock()
	s.closed = true
	s.timer.stop()
	s.mu.Unlock()
	s.sender.close()
	return nil
}
