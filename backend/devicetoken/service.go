package devicetoken

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/backend/auth"
	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/internal/retry"
	"github.com/tabletop-db/tabletop/backend/push"
)

// Config is what the device token backend needs. Client, Tokens and AdminToken are required.
type Config struct {
	Client      *dynamodb.Client
	TablePrefix string
	Env         string        // in the table's name; DefaultEnv when empty
	Tokens      auth.Verifier // says who calls
	AdminToken  string        // opens the endpoints of operators
	Push        push.Sender   // sends to devices; without one pushes are refused with 503
	ActiveIndex bool          // active devices have activeAt, for the index of the migration (PE-D1)
	Now         func() time.Time
	Logger      *slog.Logger
	// Wait pauses between tries and returns early, with an error, when the context ends; a timer by default.
	Wait func(context.Context, time.Duration) error
}

// Service holds the rules of the device token backend. It is safe for concurrent use.
type Service struct {
	cfg   Config
	store *store
	stats counters
}

// New checks cfg, fills its defaults and returns the service. It does not touch the database.
func New(cfg Config) (*Service, error) {
	switch {
	case cfg.Client == nil:
		return nil, errors.New("devicetoken: no DynamoDB client: set Config.Client")
	case cfg.Tokens == nil:
		return nil, errors.New("devicetoken: nobody verifies bearer tokens: set Config.Tokens to auth.NewOIDC, or auth.NewIssuer on the desk")
	case cfg.AdminToken == "":
		return nil, errors.New("devicetoken: the admin token is empty: set one, or operators can neither push nor diagnose")
	case cfg.Env != "" && !regexp.MustCompile(`^[a-z0-9-]{1,32}$`).MatchString(cfg.Env):
		return nil, fmt.Errorf("devicetoken: environment %q: write 1 to 32 small letters, digits and '-', such as dev", cfg.Env)
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	return &Service{
		cfg:   cfg,
		store: &store{client: cfg.Client, table: TableName(cfg.TablePrefix, cfg.Env), activeIndex: cfg.ActiveIndex},
	}, nil
}

// registerTries is how often a registration begins anew because its device was deleted while it was under way.
const registerTries = 3

// register makes the device, or refreshes it when it is there (PE-P1). One that is deleted between the two is made
// after all.
func (s *Service) register(ctx context.Context, u UserID, in registration) (d Device, isNew bool, err error) {
	tries := retry.Policy{On: []error{errDeleted}, Tries: registerTries, First: 2 * time.Millisecond, Wait: s.cfg.Wait}
	err = tries.Do(ctx, func() error {
		d, isNew, err = s.registerOnce(ctx, u, in)
		return err
	})
	return d, isNew, err
}

func (s *Service) registerOnce(ctx context.Context, u UserID, in registration) (d Device, isNew bool, err error) {
	now := s.cfg.Now()
	d = Device{
		DeviceID: in.DeviceID, Platform: in.Platform, Token: in.Token, RegisteredAt: timestamp(now), UpdatedAt: timestamp(now),
		IsActive: true, ExpiresAt: expiry(now),
	}
	if isNew, err = s.store.create(ctx, u, d); isNew || err != nil {
		return d, isNew, s.counted(err, &s.stats.registered)
	}
	was, found, err := s.store.refresh(ctx, u, in.DeviceID, in.Token, timestamp(now), expiry(now))
	if err == nil && !found {
		return Device{}, false, errDeleted
	}
	return was, false, s.counted(err, &s.stats.refreshed)
}

// refresh renews a device that is there (PE-P2).
func (s *Service) refresh(ctx context.Context, u UserID, id DeviceID, token PushToken) (Device, error) {
	now := s.cfg.Now()
	d, found, err := s.store.refresh(ctx, u, id, token, timestamp(now), expiry(now))
	return d, s.counted(there(found, err), &s.stats.refreshed)
}

func (s *Service) device(ctx context.Context, u UserID, id DeviceID) (Device, error) {
	d, found, err := s.store.get(ctx, u, id)
	return d, there(found, err)
}

// active are the devices of a user that would get a push (PE-P4).
func (s *Service) active(ctx context.Context, u UserID) ([]Device, error) {
	return s.store.active(ctx, u, s.cfg.Now().Unix())
}

func (s *Service) deactivate(ctx context.Context, u UserID, id DeviceID) (Device, error) {
	d, found, err := s.store.deactivate(ctx, u, id, timestamp(s.cfg.Now()))
	return d, there(found, err)
}

func (s *Service) remove(ctx context.Context, u UserID, id DeviceID) error {
	found, err := s.store.remove(ctx, u, id)
	return there(found, err)
}

// removeAll deletes every device of a user (PE-R7). A device that is registered meanwhile is found by the next look; a
// user whose phone never stops registering is told that the service is busy.
func (s *Service) removeAll(ctx context.Context, u UserID) error {
	const looks = 10
	for range looks {
		ids, err := s.store.ids(ctx, u)
		if err != nil || len(ids) == 0 {
			return err
		}
		for _, id := range ids {
			if _, err := s.store.remove(ctx, u, id); err != nil {
				return err
			}
		}
	}
	return fmt.Errorf("%w: devices are registered faster than they are deleted", ddb.ErrBusy)
}

func (s *Service) counted(err error, counter *atomic.Int64) error {
	if err == nil {
		counter.Add(1)
	}
	return err
}

// there is errNoDevice where nothing was found: unknown devices and those of others are one and the same here, for the
// user is part of the key.
func there(found bool, err error) error {
	if err == nil && !found {
		return errNoDevice
	}
	return err
}
