package quickstop

import (
	"errors"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// pipeListener is a listener for connections in memory, on which a synctest bubble may wait.
type pipeListener struct {
	conns  chan net.Conn
	closed chan struct{}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.conns:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error   { close(l.closed); return nil }
func (l *pipeListener) Addr() net.Addr { return &net.TCPAddr{} }

// TestSilentConnectionsDoNotDelayShutdown stops a server to which a client has connected without sending anything. The
// server alone would take five seconds.
func TestSilentConnectionsDoNotDelayShutdown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := &http.Server{Handler: http.NotFoundHandler()}
		Enable(server)
		listener := &pipeListener{conns: make(chan net.Conn), closed: make(chan struct{})}
		served := make(chan error, 1)
		go func() { served <- server.Serve(listener) }()
		client, accepted := net.Pipe()
		listener.conns <- accepted
		synctest.Wait() // the server waits for a request
		began := time.Now()
		if err := server.Shutdown(t.Context()); err != nil {
			t.Errorf("Shutdown: %v", err)
		}
		if took := time.Since(began); took >= time.Second {
			t.Errorf("Shutdown took %v", took)
		}
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			t.Errorf("Serve: %v", err)
		}
		if _, err := client.Read(make([]byte, 1)); err == nil {
			t.Error("the silent connection is still open")
		}
		_ = client.Close()
	})
}
