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

	"github.com/tabletop-db/tabletop/internal/loopback"
	"github.com/tabletop-db/tabletop/internal/quickstop"
	"github.com/tabletop-db/tabletop/internal/webguard"
)

// Limits of the listener. Slow and silent clients are cut; a full request of 100 readings takes well below a second.
const (
	headerTimeout  = 5 * time.Second
	requestTimeout = 30 * time.Second
	answerTimeout  = 60 * time.Second
	idleTimeout    = 2 * time.Minute
	stopTimeout    = 5 * time.Second
	maxHeaderBytes = 64 << 10
)

// Serve answers on listener until ctx ends, then lets the requests under way finish, for up to five seconds, and closes
// the listener. It returns nil after such a stop. The server's own issuer of tokens, if it has one, is found at the
// listener's address from here on: tokens that it made before are not good any more, unless that was its address. With
// Config.Work the workers of its systems work meanwhile.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	if s.issuer != nil {
		s.issuer.URL = s.scheme() + "://" + loopback.Reachable(listener.Addr()) + "/auth"
	}
	server := &http.Server{
		Handler: s.visited(), MaxHeaderBytes: maxHeaderBytes, ReadHeaderTimeout: headerTimeout, ReadTimeout: requestTimeout,
		WriteTimeout: answerTimeout, IdleTimeout: idleTimeout,
		ErrorLog: slog.NewLogLogger(s.config.Logger.Handler(), slog.LevelWarn),
	}
	quickstop.Arm(server)
	defer s.work(ctx)()
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
		return fmt.Errorf("requests still under way after %s were cut: %w", stopTimeout, server.Close())
	} else if err != nil {
		return err
	}
	return nil
}

// visited is the server with foreign web pages kept away from an issuer that gives a token to whoever asks. Where
// tokens come from elsewhere, a page has none and may come by any name.
func (s *Server) visited() http.Handler {
	if s.issuer == nil {
		return s
	}
	return webguard.Guard{Names: s.config.TrustedHosts}.Wrap(s, func(w http.ResponseWriter, _ *http.Request, reason string) {
		problem(w, http.StatusForbidden, reason)
	})
}

func (s *Server) scheme() string {
	if s.config.TLS != nil {
		return "https"
	}
	return "http"
}

// Serve makes the server of cfg and serves it on addr, such as "127.0.0.1:8080", until ctx ends.
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

// notServed answers what the mux would, 404 or 405 with Allow, as problem details.
func notServed(w http.ResponseWriter, r *http.Request, mux http.Handler) {
	verdict := &statusOnly{header: w.Header(), status: http.StatusOK}
	mux.ServeHTTP(verdict, r)
	if verdict.status < http.StatusBadRequest { // the mux would redirect to a clean path, which is not served either
		w.Header().Del("Location")
		verdict.status = http.StatusNotFound
	}
	problem(w, verdict.status, fmt.Sprintf("%s %s is not served; the APIs are described at /docs", r.Method, r.URL.Path))
}

// problem answers problem details (RFC 9457).
func problem(w http.ResponseWriter, status int, detail string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"title": http.StatusText(status), "status": status, "detail": detail}) // fails only when the client has left
}

// statusOnly lets a handler decide on status and headers without writing its body.
type statusOnly struct {
	header http.Header
	status int
}

func (s *statusOnly) Header() http.Header         { return s.header }
func (s *statusOnly) Write(b []byte) (int, error) { return len(b), nil }
func (s *statusOnly) WriteHeader(status int)      { s.status = status }
