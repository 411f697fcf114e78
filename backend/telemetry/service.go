package telemetry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"

	"github.com/tabletop-db/tabletop/backend/internal/web"
	"github.com/tabletop-db/tabletop/internal/util/pause"
)

// Config configures the telemetry backend. Client, AdminToken and Pepper are required.
type Config struct {
	Client      *dynamodb.Client
	TablePrefix string
	AdminToken  string        // admits to the admin endpoints
	Pepper      string        // hashed with each API key (TL-R11); keep it out of the database
	Retention   time.Duration // how long readings are kept; default: 90 days
	Now         func() time.Time
	Logger      *slog.Logger
	// Wait pauses between attempts and returns early, with an error, when the context ends; default: a timer.
	Wait func(context.Context, time.Duration) error
}

const defaultRetention = 90 * 24 * time.Hour

// Service implements the telemetry backend. It is safe for concurrent use.
type Service struct {
	cfg              Config
	store            *store
	stats            counters
	heat             heat
	requestSlots     chan struct{} // one per request with readings that is being processed
	transactionSlots chan struct{} // one per transaction in progress, over all requests
}

// New validates cfg, sets defaults and returns the service. It does not access the database.
func New(cfg Config) (*Service, error) {
	switch {
	case cfg.Client == nil:
		return nil, errors.New("telemetry: no DynamoDB client: set Config.Client")
	case cfg.Pepper == "":
		return nil, errors.New(
			"telemetry: the API key pepper is empty: set API_KEY_PEPPER to a long random string and never change it")
	case cfg.AdminToken == "":
		return nil, errors.New("telemetry: the admin token is empty: set it, because creating API keys needs it")
	case cfg.Retention < 0:
		return nil, fmt.Errorf("telemetry: retention %s is negative: set 0 for 90 days", cfg.Retention)
	}
	if cfg.Retention == 0 {
		cfg.Retention = defaultRetention
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
	return &Service{
		cfg:              cfg,
		store:            &store{client: cfg.Client, prefix: cfg.TablePrefix},
		requestSlots:     make(chan struct{}, maxRequests),
		transactionSlots: make(chan struct{}, maxTransactions),
	}, nil
}

func (s *Service) now() Timestamp { return timestamp(s.cfg.Now()) }

// register creates the device, or renews it if it exists (TL-P1).
func (s *Service) register(ctx context.Context, in registration) (d Device, isNew bool, err error) {
	for name := range in.Capabilities.Features {
		if !validSensorName(string(name)) {
			return Device{}, false, web.Invalid("body.capabilities.features",
				"must have names of up to 64 lowercase letters, digits and '_'")
		}
	}
	confirmation, err := uuid.NewRandom()
	if err != nil {
		return Device{}, false, err
	}
	d, err = s.store.registerDevice(ctx, Device{
		HardwareID: in.HardwareID, ConfirmationID: UUID(confirmation.String()), LastBootID: in.BootID,
		FirmwareVersion: in.FirmwareVersion, Capabilities: in.Capabilities, LastSeenAt: s.now(),
	})
	return d, d.ConfirmationID == UUID(confirmation.String()), err
}

func (s *Service) listDevices(ctx context.Context, limit int, cursor string) ([]Device, string, error) {
	after, err := web.DecodeCursor(cursor, map[string]func(string) bool{
		"hardware_id": validHardwareID, "gsi1pk": web.Equals(partitionDevices), "gsi1sk": validTimestamp,
	})
	if err != nil {
		return nil, "", err
	}
	devices, last, err := s.store.listDevices(ctx, limit, after)
	return devices, web.EncodeCursor(last), err
}

func (s *Service) device(ctx context.Context, id HardwareID) (Device, error) {
	d, ok, err := s.store.device(ctx, id)
	return web.Found(d, ok, err, errNoDevice)
}

func (s *Service) nameDevice(ctx context.Context, id HardwareID, name string) (Device, error) {
	d, ok, err := s.store.nameDevice(ctx, id, name)
	return web.Found(d, ok, err, errNoDevice)
}

func (s *Service) latestReading(ctx context.Context, id HardwareID) (Reading, error) {
	r, ok, err := s.store.latestReading(ctx, id)
	return web.Found(r, ok, err, errNoReading)
}

// readings lists a device's readings in a time range, both ends inclusive (TL-P6).
func (s *Service) readings(ctx context.Context, q readingsQuery) ([]Reading, string, error) {
	if q.From > q.To {
		return nil, "", web.Invalid("query.from", "must not be after to")
	}
	from, to := tsBatchFrom(q.From), tsBatchTo(q.To)
	after, err := web.DecodeCursor(q.Cursor, map[string]func(string) bool{
		"hardware_id": web.Equals(string(q.HardwareID)), "ts_batch": readingKeyBetween(from, to),
	})
	if err != nil {
		return nil, "", err
	}
	readings, last, err := s.store.readingsBetween(ctx, q.HardwareID, from, to, q.Order == "asc", q.Limit, after)
	return readings, web.EncodeCursor(last), err
}
