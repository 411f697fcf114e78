package cloudwatch

import (
	"log/slog"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi"
	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/emulator/internal/metrics"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Config configures a Service. The caller closes Store and Clock after the Service.
type Config struct {
	Store   *store.Store
	Clock   *clock.Clock
	Metrics *metrics.Registry
	Logger  *slog.Logger // nil: nothing is logged
	// Spaces says which requests have their own metrics and alarms. By default all requests share them.
	Spaces accounts.Spaces
	// AccountID is the account of alarms, twelve digits; empty: accounts.Default.
	AccountID accounts.ID
	// Gate authenticates and authorizes requests; nil allows everything.
	Gate identity.Gate
	// Running is passed by every request, and closed by whatever replaces the store's content; nil: nothing does.
	Running *store.Gate
	// Insights returns the rules of contributor insights; nil: there are none.
	Insights Insights
	// Webhook is where the actions of alarms are sent.
	Webhook Webhook
	// Pool is the memory for evaluations of alarms; nil means no limit. The budgets of requests are in their contexts.
	Pool *budget.Pool
	// Seed is the seed of everything random: the ids of requests and messages.
	Seed uint64
}

// Service is the emulated CloudWatch. It is an http.Handler.
type Service struct {
	store      *store.Store
	clock      *clock.Clock
	metrics    *metrics.Registry
	log        *slog.Logger
	spaces     accounts.Spaces
	accountID  accounts.ID
	gate       identity.Gate
	running    *store.Gate
	operations map[string]operation
	sender     *sender
	pool       *budget.Pool
	insights   Insights

	api awsapi.Service[*Error]
	ids awsapi.IDs // of responses and of notifications

	mu       sync.Mutex // held to read or change the alarms
	alarms   map[alarmKey]*alarm
	schedule schedule
	events   uint64 // the number of the newest item of history
	timer    timer
	closed   bool
	scale    func(account, policy string) // runs a scaling policy; nil: such actions fail

	evaluations int // number of evaluations of alarms, for tests
}

// Limits returns the limits of one request, or of one evaluation of an alarm, within a pool of memory; the values are
// our own. A step is a value that metric math reads or creates, about 100 ns.
func Limits(pool *budget.Pool) budget.Limits {
	return budget.Limits{Steps: 5_000_000, Bytes: 512 << 20, Time: 30 * time.Second, Pool: pool}
}

// New returns a Service with the alarms in the store.
func New(c Config) (*Service, error) {
	s := &Service{
		store: c.Store, clock: c.Clock, metrics: c.Metrics, log: c.Logger, spaces: c.Spaces,
		accountID: c.AccountID, gate: c.Gate, running: c.Running, pool: c.Pool,
		insights:   c.Insights,
		operations: operations(),
		ids:        awsapi.IDs{Seed: c.Seed ^ 0x616c61726d73}, // differ from the ids of KMS
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.api = newAPI(s.log)
	if s.gate == nil {
		s.gate = identity.AllowAll()
	}
	if s.running == nil {
		s.running = s.store.NewGate()
	}
	s.sender = newSender(c.Webhook, s.delivered, func(reason any, stack []byte) {
		s.log.Error("a notification panicked", "panic", reason, "stack", string(stack))
	})
	if err := s.Reload(); err != nil {
		return nil, err
	}
	s.metrics.OnChange(s.metricChanged)
	return s, nil
}

// Close stops the evaluation of alarms. Notifications that have not been delivered are lost.
func (s *Service) Close() error {
	s.metrics.OnChange(nil)
	s.mu.Lock()
	s.closed = true
	s.timer.stop()
	s.mu.Unlock()
	s.sender.close()
	return nil
}
