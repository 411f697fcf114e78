package backend

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/internal/util/loopback"
	"github.com/tabletop-db/tabletop/internal/util/quickstop"
	"github.com/tabletop-db/tabletop/internal/util/webguard"
)

// Limits of the listener. Slow and silent clients are disconnected; a full request of 100 readings takes well under a
// second.
const (
	headerTimeout  = 5 * time.Second
	requestTimeout = 30 * time.Second
	writeTimeout   = 60 * time.Second
	idleTimeout    = 2 * time.Minute
	stopTimeout    = 5 * time.Second
	maxHeaderBytes = 64 << 10
)

// Serve serves requests on listener until ctx ends; then it lets requests in progress finish, for up to five seconds,
// and closes the listener. It returns nil after such a stop. If the server has its own issuer of tokens, the issuer's
// URL becomes the listener's address: tokens issued before are no longer valid, unless that was already its address.
// With Config.RunWorkers, the workers of the systems run at the same time.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	if s.issuer != nil {
		s.issuer.URL = s.scheme() + "://" + loopback.ClientAddr(listener.Addr()) + "/auth"
	}
	server := &http.Server{
		Handler: s.guarded(), MaxHeaderBytes: maxHeaderBytes, ReadHeaderTimeout: headerTimeout, ReadTimeout: requestTimeout,
		WriteTimeout: writeTimeout, IdleTimeout: idleTimeout,
		ErrorLog: slog.NewLogLogger(s.config.Logger.Handler(), slog.LevelWarn),
	}
	quickstop.Enable(server)
	defer s.startWorkers(ctx)()
	failed := make(chan error, 1)
	go func() { failed <- listen(server, listener, s.config.TLS) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	if err := server.Shutdown(grace); errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("requests still in progress after %s were cancelled: %w", stopTimeout, server.Close())
	} else if err != nil {
		return err
	}
	return nil
}

// guarded returns the server protected from foreign web pages, because its own issuer gives a token to any caller. When
// tokens come from elsewhere, a page has none, and any host name may be used.
func (s *Server) guarded() http.Handler {
	if s.issuer == nil {
		return s
	}
	return webguard.Guard{TrustedHosts: s.config.TrustedHosts}.Wrap(s,
		func(w http.ResponseWriter, _ *http.Request, reason string) {
			problem(w, http.StatusForbidden, reason)
		})
}

func (s *Server) scheme() string {
	if s.config.TLS != nil {
		return "https"
	}
	return "http"
}

// Serve creates the server of cfg and serves it on addr, such as "127.0.0.1:8080", until ctx ends.
func Serve(ctx context.Context, addr string, cfg Config) error {
	server, err := New(cfg)
	if err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w; choose another address", addr, err)
	}
	return server.Serve(ctx, listener)
}

// writeRoutingError responds as the mux would, with 404 or with 405 and Allow, but as problem details.
func writeRoutingError(w http.ResponseWriter, r *http.Request, mux http.Handler) {
	recorder := &statusOnly{header: w.Header(), status: http.StatusOK}
	mux.ServeHTTP(recorder, r)
	if recorder.status < http.StatusBadRequest { // the mux would redirect to a clean path, which is not served either
		w.Header().Del("Location")
		recorder.status = http.StatusNotFound
	}
	problem(w, recorder.status, fmt.Sprintf("%s %s does not exist; see the APIs at /docs", r.Method, r.URL.Path))
}

// problem writes problem details (RFC 9457).
func problem(w http.ResponseWriter, status int, detail string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	// fails only when the client has left
	_ = json.NewEncoder(w).Encode(map[string]any{"title": http.StatusText(status), "status": status, "detail": detail})
}

// statusOnly records the status of a handler and discards its body.
type statusOnly struct {
	header http.Header
	status int
}

func (s *statusOnly) Header() http.Header         { return s.header }
func (s *statusOnly) Write(b []byte) (int, error) { return len(b), nil }
func (s *statusOnly) WriteHeader(status int)      { s.status = status }
