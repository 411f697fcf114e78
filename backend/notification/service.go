package notification

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/google/uuid"

	"github.com/tabletop-db/tabletop/backend/auth"
	"github.com/tabletop-db/tabletop/backend/internal/cosmosdb"
	"github.com/tabletop-db/tabletop/backend/internal/retry"
	"github.com/tabletop-db/tabletop/backend/push"
	"github.com/tabletop-db/tabletop/internal/util/pause"
)

// Config configures the notification service. Client is required; Mount also requires AdminToken and Tokens, which a
// job does not need.
type Config struct {
	Client     *azcosmos.Client
	Database   string        // "asora" when empty
	AdminToken string        // admits to the admin endpoints, which services use to enqueue events
	Tokens     auth.Verifier // verifies users' bearer tokens
	// Push has the sender of each platform. Devices of a platform without one get no pushes.
	Push map[Platform]push.Sender

	// DedupeWindow is how long after an event with a dedupeKey another one with the same key is a duplicate; default:
	// one hour.
	DedupeWindow time.Duration
	// Rates are the rate limits of a user's notifications by category; DefaultRates when nil. A category without an
	// entry has no limit.
	Rates map[Category]Rate

	Now    func() time.Time
	Logger *slog.Logger
	// Wait pauses between attempts and returns early, with an error, when the context ends; default: a timer.
	Wait func(context.Context, time.Duration) error
}

// Rate is a rate limit: at most Max notifications within Window (NT-R4).
type Rate struct {
	Max    int
	Window time.Duration
}

// DefaultRates limits the categories of which a user may get too much. The document gives no figures. Safety and
// security have no limit: a user who did not change the password must learn that somebody did.
func DefaultRates() map[Category]Rate {
	return map[Category]Rate{Social: {20, time.Hour}, News: {5, time.Hour}, Marketing: {2, time.Hour}}
}

const defaultDedupeWindow = time.Hour

// Service implements the notification service. It is safe for concurrent use.
type Service struct {
	cfg      Config
	store    *store
	follower *Follower
	stats    counters

	pending, overdue fairFinder
}

// New validates cfg, sets defaults and returns the service. It does not access the database.
func New(cfg Config) (*Service, error) {
	if cfg.Client == nil {
		return nil, errors.New("notification: no Cosmos DB client: set Config.Client")
	}
	if cfg.DedupeWindow < 0 || cfg.DedupeWindow > thirtyDays*time.Second {
		return nil, fmt.Errorf(
			"notification: the dedupe window %s is invalid: use 0 to 30 days, because events are kept for 30 days",
			cfg.DedupeWindow)
	}
	for category, r := range cfg.Rates {
		if r.Max < 1 || r.Window <= 0 {
			return nil, fmt.Errorf(
				"notification: the rate limit of %s is invalid: use at least 1 within a positive window, or omit it", category)
		}
	}
	s := &Service{cfg: cfg.withDefaults()}
	var err error
	if s.store, err = newStore(s.cfg.Client, s.cfg.Database, s.cfg.Wait, s.cfg.Logger); err != nil {
		return nil, fmt.Errorf("notification: %w", err)
	}
	s.follower = NewFollower(s)
	return s, nil
}

func (c Config) withDefaults() Config {
	if c.Database == "" {
		c.Database = Database
	}
	if c.DedupeWindow == 0 {
		c.DedupeWindow = defaultDedupeWindow
	}
	if c.Rates == nil {
		c.Rates = DefaultRates()
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Wait == nil {
		c.Wait = pause.For
	}
	return c
}

func (s *Service) now() Moment { return moment(s.cfg.Now()) }

func newID() (ID, error) {
	id, err := uuid.NewRandom()
	return ID(id.String()), err
}

// retryConflicts retries attempt until it is done, because another change may come between its read and its write. Each
// failed attempt means that another request succeeded. The pauses double from about 5 ms; after the last attempt, the
// error is a conflict.
func (s *Service) retryConflicts(ctx context.Context, attempt func() (done bool, err error)) error {
	policy := retry.Policy{
		Retryable: []error{errConflict}, MaxAttempts: 20, FirstPause: 5 * time.Millisecond, MaxPause: 200 * time.Millisecond,
		Wait: s.cfg.Wait,
	}
	return policy.Do(ctx, func() error {
		done, err := attempt()
		if done || err != nil {
			return err
		}
		return errConflict
	})
}

// metered runs one pattern and records its cost.
func metered[T any](ctx context.Context, s *Service, pattern string, run func(context.Context) (T, error)) (T, error) {
	ctx, meter := cosmosdb.Begin(ctx)
	out, err := run(ctx)
	if err == nil {
		s.stats.cost(pattern, meter.RU())
	}
	return out, err
}
