package emulator

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/http1"
	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
	"github.com/tabletop-db/tabletop/internal/util/loopback"
)

// How long a client may take. The largest request, 16 MB, may come over a line of 0.5 Mbit/s; a client that stalls in
// the middle of its body is cut off too. A client must read each piece of a large response within the time of
// inflight.Limits, which starts again with each piece; answerTimeout is for all other writes.
const (
	headerTimeout = 30 * time.Second
	bodyTimeout   = 5 * time.Minute
	answerTimeout = bodyTimeout + time.Minute // from the request's header on
	stallTimeout  = time.Minute               // of an HTTP/2 connection that reads nothing
	idleTimeout   = 10 * time.Minute
)

// How long closing may take. Requests in progress have graceTimeout to end; then their connections are closed and their
// contexts canceled. Close stops waiting after closeTimeout, counted from its start.
const (
	graceTimeout = 5 * time.Second
	closeTimeout = 9 * time.Second
)

// How much of the server's memory one client may use.
const (
	maxHeaderBytes = 64 << 10
	maxStreams     = 100     // concurrent requests on one HTTP/2 connection; RFC 9113 recommends no fewer
	connBuffer     = 1 << 20 // bytes of request bodies that are received ahead on one HTTP/2 connection
	streamBuffer   = 256 << 10
	maxFrame       = 16 << 10 // bytes of one HTTP/2 frame, the least allowed; each connection keeps as much memory
	maxIdle        = 4096     // connections of a port that wait for a request; each has its own buffers and goroutine
)

// port is an address that is listened on, and its server once it serves.
type port struct {
	listener net.Listener
	server   *http1.Server // nil: it does not serve yet
	served   chan error
}

// listen listens on an address for a service. Clients that connect wait until it serves.
func listen(service, addr string) (*port, error) {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, &ListenError{Service: service, Addr: addr, Err: err}
	}
	return &port{listener: listener, served: make(chan error, 1)}, nil
}

// serve serves a handler, whose requests and responses take their memory from memory: over https if secure is not nil,
// over http otherwise. p may be nil.
func (p *port) serve(h http.Handler, memory *inflight.Tracker, logger *slog.Logger, secure *tls.Config) {
	if p == nil {
		return
	}
	p.server = newServer(memory.Wrap(h, panicAnswers(h, logger)), logger, secure)
	go func() { p.served <- p.server.Serve(p.listener) }()
}

// close waits for the requests in progress until ctx is done, and frees the address. p may be nil.
func (p *port) close(ctx context.Context) error {
	if p == nil {
		return nil
	}
	if p.server == nil {
		return p.listener.Close()
	}
	err := p.server.Shutdown(ctx)
	if err != nil { // a client keeps its connection busy: cut it off
		err = p.server.Close()
	}
	if served := <-p.served; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}

// cut ends all connections at once, as the end of the process does. New ones wait until reopen is called. p may be nil.
func (p *port) cut() (reopen func()) {
	if p == nil || p.server == nil {
		return func() {}
	}
	return p.server.Cut()
}

// loopbackAddr returns the address that programs on this machine use. If the port listens on all addresses, that is
// loopback, whose name is in the certificates.
func (p *port) loopbackAddr() string { return loopback.ClientAddr(p.listener.Addr()) }

// newServer returns a server for HTTP/1.1 and HTTP/2: over TLS if secure is not nil, without TLS otherwise.
func newServer(h http.Handler, logger *slog.Logger, secure *tls.Config) *http1.Server {
	return http1.New(http1.Config{
		Handler: h, Other: otherServer(logger), TLS: secure,
		HeaderTimeout: headerTimeout, BodyTimeout: bodyTimeout, AnswerTimeout: answerTimeout, IdleTimeout: idleTimeout,
		MaxIdle: maxIdle, ErrorLog: errorLog(logger),
	})
}

// otherServer returns the server for HTTP/2, and for requests of HTTP/1 that http1 does not serve.
func otherServer(logger *slog.Logger) *http.Server {
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(true)
	return &http.Server{
		Protocols:         &protocols,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       bodyTimeout,
		WriteTimeout:      answerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		HTTP2: &http.HTTP2Config{
			MaxConcurrentStreams: maxStreams, WriteByteTimeout: stallTimeout,
			MaxReceiveBufferPerConnection: connBuffer, MaxReceiveBufferPerStream: streamBuffer, MaxReadFrameSize: maxFrame,
		},
		ErrorLog: errorLog(logger),
	}
}

func errorLog(logger *slog.Logger) *log.Logger {
	if logger == nil {
		return log.New(io.Discard, "", 0)
	}
	return slog.NewLogLogger(logger.Handler(), slog.LevelDebug)
}

// ListenError reports an address that cannot be listened on.
type ListenError struct {
	Service string // such as "Cosmos DB"; empty: DynamoDB
	Addr    string
	Err     error
}

func (e *ListenError) Error() string {
	return fmt.Sprintf(
		"cannot listen on %s (%v): stop the program that listens there, or use another address; port 0 finds a free port",
		e.Addr, cause(e.Err))
}

// Unwrap returns the cause.
func (e *ListenError) Unwrap() error { return e.Err }

// cause returns the system's error, without the operation and address.
func cause(err error) error {
	var call *os.SyscallError
	if errors.As(err, &call) {
		return call.Err
	}
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err
	}
	return err
}
