package http1

import (
	"context"
	"crypto/tls"
	"errors"
	"log"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Config describes a server.
type Config struct {
	Handler http.Handler
	// Other serves the connections that are not for this package: it has the protocols HTTP/1.1, HTTP/2, and HTTP/2
	// without TLS. New sets its Handler, ConnState, ConnContext and BaseContext; the server serves and closes it.
	Other *http.Server
	TLS   *tls.Config // nil: without TLS

	HeaderTimeout time.Duration // from the connection's start to its first request, and for the TLS handshake
	BodyTimeout   time.Duration // for a whole body
	AnswerTimeout time.Duration // for a response, from the request's header on
	IdleTimeout   time.Duration // between two requests
	MaxIdle       int           // connections that wait for a request; see connections

	ErrorLog *log.Logger
}

// Server serves the connections of a listener.
type Server struct {
	Config
	conns    *connections
	requests context.Context // the parent of all requests' contexts
	cancel   context.CancelFunc
	handed   *handOver
	serving  sync.WaitGroup // Serve and the connections
	closing  atomic.Bool

	mu       sync.Mutex
	listener net.Listener
}

// New returns a server that does not serve yet.
func New(c Config) *Server {
	s := &Server{Config: c, conns: newConnections(c.MaxIdle), handed: newHandOver()}
	s.requests, s.cancel = context.WithCancel(context.Background())
	s.Other.Handler = withFairness(c.Handler)
	s.Other.ConnContext = withPace
	s.Other.ConnState = s.conns.track
	s.Other.BaseContext = func(net.Listener) context.Context { return s.requests }
	if s.TLS != nil {
		s.TLS = s.TLS.Clone()
		s.TLS.NextProtos = []string{"h2", "http/1.1"}
		s.TLS.DynamicRecordSizingDisabled = true // small records help on slow networks, and each is a write
	}
	return s
}

// Serve accepts connections until Shutdown or Close. It always returns an error, which is then http.ErrServerClosed.
func (s *Server) Serve(listener net.Listener) error {
	if !s.begin(listener) {
		_ = listener.Close()
		return http.ErrServerClosed
	}
	defer s.serving.Done()
	s.handed.addr = listener.Addr()
	go func() { _ = s.Other.Serve(s.handed) }()
	var pause time.Duration
	for {
		raw, err := listener.Accept()
		if s.closing.Load() {
			if err == nil {
				_ = raw.Close()
			}
			return http.ErrServerClosed
		}
		if err == nil {
			pause = 0
			s.start(raw)
			continue
		}
		if pause = nextPause(err, pause); pause == 0 {
			return err
		}
		s.logf("no connection was accepted, waiting %v: %v", pause, err)
		time.Sleep(pause)
	}
}

// begin records the listener. It returns false after Shutdown or Close.
func (s *Server) begin(listener net.Listener) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing.Load() {
		return false
	}
	s.listener = listener
	s.serving.Add(1)
	return true
}

// nextPause returns how long to wait after an error of Accept, as net/http does; 0 if the listener has been closed. The
// usual cause is that the process has too many open files.
func nextPause(err error, last time.Duration) time.Duration {
	if errors.Is(err, net.ErrClosed) {
		return 0
	}
	return min(max(2*last, 5*time.Millisecond), time.Second)
}

func (s *Server) start(raw net.Conn) {
	var c net.Conn = raw
	if s.TLS != nil {
		c = tls.Server(raw, s.TLS)
	}
	place := s.conns.add(c, false)
	s.serving.Add(1)
	go func() {
		defer s.serving.Done()
		newConn(s, c, place).serve()
	}()
}

// Shutdown stops to listen, closes the connections that wait for a request, and waits for the requests in progress
// until ctx is done, whose error it returns then.
func (s *Server) Shutdown(ctx context.Context) error {
	err := s.stopListening()
	s.conns.closeWaiting()
	other := make(chan error, 1)
	go func() { other <- s.Other.Shutdown(ctx) }()
	ended := make(chan struct{})
	go func() {
		s.serving.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
		return errors.Join(err, ctx.Err())
	}
	if err = errors.Join(err, <-other); err == nil {
		s.cancel()
	}
	return err
}

// Close stops to listen, cancels the contexts of all requests, and closes all connections.
func (s *Server) Close() error {
	s.cancel()
	err := s.stopListening()
	s.conns.closeAll()
	return errors.Join(err, s.Other.Close())
}

// stopListening closes the listeners. The listener that Serve was given may be closed already.
func (s *Server) stopListening() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closing.Store(true)
	_ = s.handed.Close()
	if s.listener == nil {
		return nil
	}
	if err := s.listener.Close(); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}

// Cut closes all connections at once, also with requests in progress, without the goodbye of TLS. New ones wait until
// reopen is called.
func (s *Server) Cut() (reopen func()) { return s.conns.cut() }

func (s *Server) logf(format string, args ...any) {
	if s.ErrorLog != nil {
		s.ErrorLog.Printf(format, args...)
	}
}
