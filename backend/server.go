package backend

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/backend/tables"
	"github.com/tabletop-db/tabletop/backend/telemetry"
)

// Config says where the backend keeps its data and who may use it. AWS, AdminToken and Pepper are required.
type Config struct {
	// AWS has region, credentials and, for anything but AWS itself, BaseEndpoint. Without an HTTPClient of its own
	// the backend uses one that keeps enough connections for its concurrency.
	AWS         aws.Config
	TablePrefix string // before every table name; empty by default
	AdminToken  string // the bearer token of admin endpoints
	Pepper      string // hashed before each API key; from the environment, never from the database

	Retention time.Duration    // of readings; 90 days when zero
	Now       func() time.Time // time.Now when nil
	Logger    *slog.Logger     // discards when nil
	// Wait pauses between tries of a database call; a timer when nil. Tests that move a clock set it.
	Wait func(context.Context, time.Duration) error

	ClientOptions []func(*dynamodb.Options) // applied last, so that a caller can record or change what goes out
}

// Server answers for every system. It is an http.Handler and safe for concurrent use.
type Server struct {
	mux     *http.ServeMux
	client  *dynamodb.Client
	schemas []tables.Schema
	metrics func() telemetry.Stats
	logger  *slog.Logger
}

// New checks cfg and mounts every system. It does not touch the database; CreateTables does.
func New(cfg Config) (*Server, error) {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Server{
		mux: http.NewServeMux(), client: newClient(cfg), schemas: Schemas(cfg.TablePrefix), logger: cfg.Logger,
	}
	service, err := telemetry.New(telemetry.Config{
		Client: s.client, TablePrefix: cfg.TablePrefix, AdminToken: cfg.AdminToken, Pepper: cfg.Pepper,
		Retention: cfg.Retention, Now: cfg.Now, Logger: cfg.Logger, Wait: cfg.Wait,
	})
	if err != nil {
		return nil, err
	}
	if err := service.Mount(s.mux); err != nil {
		return nil, err
	}
	s.metrics = service.Stats
	s.mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintln(w, `{"status":"ok"}`)
	})
	return s, nil
}

// Schemas are the locked schemas of every system, with prefix before each table name.
func Schemas(prefix string) []tables.Schema {
	return []tables.Schema{telemetry.Schema(prefix)}
}

// CreateTables makes the tables of every system and waits until they are ready; those that are there stay.
func (s *Server) CreateTables(ctx context.Context) error {
	for _, schema := range s.schemas {
		if err := tables.Create(ctx, s.client, schema.Tables); err != nil {
			return fmt.Errorf("%s %w", schema.System, err)
		}
	}
	return nil
}

// TelemetryStats reads the telemetry counters, which GET /telemetry/stats shows too.
func (s *Server) TelemetryStats() telemetry.Stats { return s.metrics() }

// ServeHTTP answers one request. Paths and methods that nobody serves get problem details like any other error.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	handler, pattern := s.mux.Handler(r)
	if pattern == "" {
		notServed(w, r, handler)
		return
	}
	s.mux.ServeHTTP(w, r)
}
