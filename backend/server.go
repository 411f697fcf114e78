package backend

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/tabletop-db/tabletop/backend/auth"
	"github.com/tabletop-db/tabletop/internal/tablefile"
)

// Server answers for every system. It is an http.Handler and safe for concurrent use.
type Server struct {
	config Config
	mux    *http.ServeMux
	issuer *auth.Issuer // of the server's own; nil where tokens come from elsewhere
}

// New checks cfg and mounts its systems. It does not touch the database; CreateTables does.
func New(cfg Config) (*Server, error) {
	cfg, err := cfg.complete()
	if err != nil {
		return nil, err
	}
	s := &Server{mux: http.NewServeMux()}
	if cfg.Tokens == nil {
		if s.issuer, err = auth.NewIssuer(cfg.Now); err != nil {
			return nil, err
		}
		cfg.Tokens = s.issuer
		s.issuer.Mount(s.mux)
	}
	s.config = cfg
	for _, system := range s.systems() {
		if err := system.mount(s.mux, cfg.in(system.Region)); err != nil {
			return nil, err
		}
	}
	if err := s.mountIndex(); err != nil {
		return nil, err
	}
	s.mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintln(w, `{"status":"ok"}`)
	})
	return s, nil
}

// systems are those that this server mounts.
func (s *Server) systems() []System {
	return slices.DeleteFunc(Systems(), func(system System) bool { return !slices.Contains(s.config.Systems, system.Name) })
}

// in is the configuration for a system whose data may be in one region only. An endpoint of its own, such as the
// emulator's, is in whatever region its clients say.
func (c Config) in(region string) Config {
	if region != "" && aws.ToString(c.AWS.BaseEndpoint) != "" {
		c.AWS = c.AWS.Copy()
		c.AWS.Region = region
	}
	return c
}

// Issuer is the server's own issuer of bearer tokens, or nil where Config.Tokens was given.
func (s *Server) Issuer() *auth.Issuer { return s.issuer }

// CreateTables makes the tables of every system with all that belongs to them (keys, TTL, recovery, alarms) and waits
// until they are ready. What is there already stays, and what differs from the description is an error where it cannot
// be changed in place. What the target cannot do is left out, with a line in the log.
func (s *Server) CreateTables(ctx context.Context) error {
	for _, system := range s.systems() {
		if err := s.create(ctx, system); err != nil {
			return fmt.Errorf("%s: %w", system.Name, err)
		}
	}
	return nil
}

func (s *Server) create(ctx context.Context, system System) error {
	file, err := system.File(s.config.TablePrefix)
	if err != nil {
		return err
	}
	target, err := tablefile.NewTarget(ctx, s.config.in(system.Region).AWS)
	if err != nil {
		return err
	}
	target.Wait = s.config.Wait
	plan, err := target.Compare(ctx, file, tablefile.Options{})
	if err != nil {
		return err
	}
	if len(plan.Refused) > 0 {
		return fmt.Errorf("there already, but not as documented: %s; choose another prefix or drop it", strings.Join(plan.Refused, "; "))
	}
	err = plan.Do(ctx, target, nil)
	for _, note := range target.Notes {
		s.config.Logger.Info(note, "system", system.Name)
	}
	return err
}

// ServeHTTP answers one request. Paths and methods that nobody serves get problem details like any other error.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	handler, pattern := s.mux.Handler(r)
	if pattern == "" {
		notServed(w, r, handler)
		return
	}
	s.mux.ServeHTTP(w, r)
}
