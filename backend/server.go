package backend

import (
	"context"
	"fmt"
	"net/http"
	"path"
	"strings"

	"github.com/tabletop-db/tabletop/backend/auth"
)

// Server serves every system. It is an http.Handler and safe for concurrent use.
type Server struct {
	config  Config
	systems []System
	mux     *http.ServeMux
	handler http.Handler // the mux, wrapped by Config.Middleware
	workers []*worker    // with Config.RunWorkers
	issuer  *auth.Issuer // the server's own; nil when tokens come from elsewhere
}

// New validates cfg and mounts its systems. It does not access the database; CreateTables does.
func New(cfg Config) (*Server, error) {
	cfg = cfg.withDefaults()
	systems, err := cfg.systems()
	if err != nil {
		return nil, err
	}
	s := &Server{mux: http.NewServeMux(), systems: systems}
	if cfg.Tokens == nil {
		if s.issuer, err = auth.NewIssuer(cfg.Now); err != nil {
			return nil, err
		}
		cfg.Tokens = s.issuer
		s.issuer.Mount(s.mux)
	}
	s.config, s.handler = cfg, cfg.Middleware(http.HandlerFunc(s.serve))
	for _, system := range s.systems {
		systemConfig := cfg
		if systemConfig.AWS, err = system.RegionalConfig(cfg.AWS); err != nil {
			return nil, err
		}
		worker, err := system.mount(s.mux, systemConfig)
		if err != nil {
			return nil, err
		}
		if worker != nil && cfg.RunWorkers {
			s.workers = append(s.workers, worker.observed(cfg.Observer))
		}
	}
	if err := s.mountIndex(); err != nil {
		return nil, err
	}
	if cfg.Observer != nil {
		s.mux.Handle("GET /metrics", cfg.Observer.Metrics())
	}
	s.mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintln(w, `{"status":"ok"}`)
	})
	return s, nil
}

// Issuer returns the server's own issuer of bearer tokens, or nil if Config.Tokens is set.
func (s *Server) Issuer() *auth.Issuer { return s.issuer }

// CreateTables creates the tables or containers of every system, as System.Create does. It logs what the target does
// not support.
func (s *Server) CreateTables(ctx context.Context) error {
	for _, system := range s.systems {
		notes, err := system.createIn(ctx, s.config)
		if err != nil {
			return err
		}
		for _, note := range notes {
			s.config.Logger.Info(note, "system", system.Name)
		}
	}
	return nil
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// serve responds with problem details to paths and methods that are not served. It also prevents the mux from
// redirecting a path with "." or "..", which keeps the method: a DELETE of a resource with such an id would become one
// of all resources.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	handler, pattern := s.mux.Handler(r)
	if pattern == "" || !isClean(r.URL.EscapedPath()) {
		writeRoutingError(w, r, handler)
		return
	}
	s.mux.ServeHTTP(&firstStatus{ResponseWriter: w}, r)
}

// firstStatus ignores statuses after the first. The API library sets one more when a client disconnects during the
// response, about which net/http would log a warning.
type firstStatus struct {
	http.ResponseWriter
	written bool
}

// WriteHeader implements http.ResponseWriter.
func (w *firstStatus) WriteHeader(status int) {
	if !w.written {
		w.written = status >= http.StatusOK
		w.ResponseWriter.WriteHeader(status)
	}
}

// Unwrap makes the other functions of the writer available to http.ResponseController.
func (w *firstStatus) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// isClean reports whether a path has no part that is empty, "." or "..".
func isClean(p string) bool { return p == "/" || path.Clean(p) == strings.TrimSuffix(p, "/") }
