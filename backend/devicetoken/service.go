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

// Config configures the device token backend. Client, Tokens and AdminToken are required.
type Config struct {
	Client      *dynamodb.Client
	TablePrefix string
	Env         string        // part of the table's name; DefaultEnv when empty
	Tokens      auth.Verifier // identifies the caller
	AdminToken  string        // admits to the endpoints for operators
	Push        push.Sender   // sends to devices; pushes get 503 when nil
	ActiveIndex bool          // active devices have activeAt, for the index of the migration (PE-D1)
	Now         func() time.Time
	Logger      *slog.Logger
	// Wait pauses between attempts and returns early, with an error, when the context ends; default: a timer.
	Wait func(context.Context, time.Duration) error
}

// Service implements the device token backend. It is safe for concurrent use.
type Service struct {
	cfg   Config
	store *store
	stats counters
}

// New validates cfg, sets defaults and returns the service. It does not access the database.
func New(cfg Config) (*Service, error) {
	switch {
	case cfg.Client == nil:
		return nil, errors.New("devicetoken: no DynamoDB client: set Config.Client")
	case cfg.Tokens == nil:
		return nil, errors.New(
			"devicetoken: no token verifier: set Config.Tokens to auth.NewOIDC, or to auth.NewIssuer for development")
	case cfg.AdminToken == "":
		return nil, errors.New("devicetoken: the admin token is empty: set it, because pushes and diagnosis need it")
	case cfg.Env != "" && !regexp.MustCompile(`^[a-z0-9-]{1,32}$`).MatchString(cfg.Env):
		return nil, fmt.Errorf("devicetoken: environment %q: use 1 to 32 lowercase letters, digits and '-', such as dev",
			cfg.Env)
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

// maxRegisterAttempts is how often a registration is attempted when its device is deleted in the meantime.
const maxRegisterAttempts = 3

// register creates the device, or refreshes it if it exists (PE-P1). If the device is deleted between the two steps,
// register starts over.
func (s *Service) register(ctx context.Context, u UserID, in registration) (d Device, isNew bool, err error) {
	policy := retry.Policy{Retryable: []error{errDeleted}, MaxAttempts: maxRegisterAttempts,
		FirstPause: 2 * time.Millisecond,
		Wait:       s.cfg.Wait}
	err = policy.Do(ctx, func() error {
		d, isNew, err = s.registerOnce(ctx, u, in)
		return err
	})
	return d, isNew, err
}

func (s *Service) registerOnce(ctx context.Context, u UserID, in registration) (d Device, isNew bool, err error) {
	now := s.cfg.Now()
	d = Device{
		DeviceID: in.DeviceID, Platform: in.Platform, Token: in.Token, RegisteredAt: timestamp(now),
		UpdatedAt: timestamp(now),
		IsActive:  true, ExpiresAt: expiry(now),
	}
	if isNew, err = s.store.create(ctx, u, d); isNew || err != nil {
		return d, isNew, s.countSuccess(err, &s.stats.registered)
	}
	existing, found, err := s.store.refresh(ctx, u, in.DeviceID, in.Token, timestamp(now), expiry(now))
	if err == nil && !found {
		return Device{}, false, errDeleted
	}
	return existing, false, s.countSuccess(err, &s.stats.refreshed)
}

// refresh refreshes an existing device (PE-P2).
func (s *Service) refresh(ctx context.Context, u UserID, id DeviceID, token PushToken) (Device, error) {
	now := s.cfg.Now()
	d, found, err := s.store.refresh(ctx, u, id, token, timestamp(now), expiry(now))
	return d, s.countSuccess(foundOrNoDevice(found, err), &s.stats.refreshed)
}

func (s *Service) device(ctx context.Context, u UserID, id DeviceID) (Device, error) {
	d, found, err := s.store.get(ctx, u, id)
	return d, foundOrNoDevice(found, err)
}

// active returns the devices of a user that get pushes (PE-P4).
func (s *Service) active(ctx context.Context, u UserID) ([]Device, error) {
	return s.store.active(ctx, u, s.cfg.Now().Unix())
}

func (s *Service) deactivate(ctx context.Context, u UserID, id DeviceID) (Device, error) {
	d, found, err := s.store.deactivate(ctx, u, id, timestamp(s.cfg.Now()))
	return d, foundOrNoDevice(found, err)
}

func (s *Service) remove(ctx context.Context, u UserID, id DeviceID) error {
	found, err := s.store.remove(ctx, u, id)
	return foundOrNoDevice(found, err)
}

// removeAll deletes every device of a user (PE-R7). The next query finds a device that registers in the meantime; a
// user whose phones never stop registering gets a 503.
func (s *Service) removeAll(ctx context.Context, u UserID) error {
	const maxPasses = 10
	for range maxPasses {
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
	return fmt.Errorf("%w: devices register faster than they are deleted", ddb.ErrBusy)
}

func (s *Service) countSuccess(err error, counter *atomic.Int64) error {
	if err == nil {
		counter.Add(1)
	}
	return err
}

// foundOrNoDevice returns errNoDevice if nothing was found. Unknown devices and other users' devices are
// indistinguishable here, because the user is part of the key.
func foundOrNoDevice(found bool, err error) error {
	if err == nil && !found {
		return errNoDevice
	}
	return err
}
