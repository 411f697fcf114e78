package kefir

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"

	"github.com/tabletop-db/tabletop/backend/auth"
	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/internal/idempotency"
	"github.com/tabletop-db/tabletop/backend/internal/retry"
	"github.com/tabletop-db/tabletop/backend/internal/web"
	"github.com/tabletop-db/tabletop/internal/util/pause"
)

// Config configures the kefir backend. Client is required; Mount also requires AdminToken and Tokens, which a job does
// not need.
type Config struct {
	Client      *dynamodb.Client
	TablePrefix string
	Stage       string        // part of the table's name; DefaultStage when empty
	AdminToken  string        // admits to the admin endpoints
	Tokens      auth.Verifier // verifies users' bearer tokens
	Now         func() time.Time
	Logger      *slog.Logger
	// Wait pauses between attempts and returns early, with an error, when the context ends; default: a timer.
	Wait func(context.Context, time.Duration) error
}

// Service implements the kefir backend. It is safe for concurrent use.
type Service struct {
	cfg     Config
	store   *store
	markers idempotency.Markers
	stats   counters
}

// New validates cfg, sets defaults and returns the service. It does not access the database.
func New(cfg Config) (*Service, error) {
	if cfg.Stage == "" {
		cfg.Stage = DefaultStage
	}
	switch {
	case cfg.Client == nil:
		return nil, errors.New("kefir: no DynamoDB client: set Config.Client")
	case !validID(cfg.Stage):
		return nil, fmt.Errorf("kefir: the stage %q cannot be part of a table's name: use letters, digits, _ and -",
			cfg.Stage)
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.Wait == nil {
		cfg.Wait = pause.For
	}
	table := aws.String(tableName(cfg.TablePrefix, cfg.Stage))
	return &Service{
		cfg: cfg, store: &store{client: cfg.Client, table: table, wait: cfg.Wait},
		markers: idempotency.Markers{Client: cfg.Client, Table: table, TTL: attributeTTL, Key: markerKey, Wait: cfg.Wait},
	}, nil
}

func (s *Service) now() Timestamp { return timestamp(s.cfg.Now()) }

func newID() (ID, error) {
	id, err := uuid.NewRandom()
	return ID(id.String()), err
}

// retryConflicts retries attempt until it is done, because another change may come between its read and its write. The
// pauses double from about 10 ms. After the last attempt, the error is a conflict, or that the database is busy.
func (s *Service) retryConflicts(ctx context.Context, attempt func() (done bool, err error)) error {
	policy := retry.Policy{Retryable: []error{ddb.ErrBusy, errConflict}, MaxAttempts: 8, FirstPause: 10 * time.Millisecond,
		Wait: s.cfg.Wait}
	return policy.Do(ctx, func() error {
		done, err := attempt()
		if done {
			return err
		}
		return firstError(err, errConflict)
	})
}

func (s *Service) profile(ctx context.Context, user string) (User, error) {
	u, ok, err := s.store.user(ctx, user)
	return web.Found(u, ok, err, errNoUser)
}

// saveProfile creates or replaces a profile; preferences that are not given get their defaults (KF-R11).
func (s *Service) saveProfile(ctx context.Context, user string, in profileRequest) (User, bool, error) {
	u := User{UserID: user, Email: in.Email, Name: in.Name, Preferences: defaultPreferences(), UpdatedAt: s.now()}
	if in.Preferences == nil {
		return s.store.saveUser(ctx, u, nil)
	}
	if on := in.Preferences.NotificationsEnabled; on != nil {
		u.Preferences.NotificationsEnabled = *on
	}
	if t := in.Preferences.DefaultTemperatureC; t != nil {
		u.Preferences.DefaultTemperatureC = *t
	}
	return s.store.saveUser(ctx, u, &u.Preferences)
}

func (s *Service) saveDevice(ctx context.Context, user string, id DeviceID, in deviceRequest) (Device, bool, error) {
	return s.store.saveDevice(ctx, Device{
		DeviceID: id, UserID: user, Platform: in.Platform, PushToken: in.PushToken, DeviceInfo: in.DeviceInfo,
		LastSeenAt: s.now(),
	})
}

func (s *Service) device(ctx context.Context, user string, id DeviceID) (Device, error) {
	d, ok, err := s.store.device(ctx, user, id)
	return web.Found(d, ok, err, errNoDevice)
}

func (s *Service) listDevices(ctx context.Context, user string, q pageQuery) ([]Device, string, error) {
	after, err := web.DecodeCursor(q.Cursor, map[string]func(string) bool{
		"PK": web.Equals(userPK(user)), "SK": withPrefix(prefixDevice, validDeviceID),
	})
	if err != nil {
		return nil, "", err
	}
	devices, last, err := s.store.devices(ctx, user, q.Limit, after)
	return devices, web.EncodeCursor(last), err
}
