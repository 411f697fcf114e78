package quickstop

import (
	"context"
	"errors"
	"net"
	"net/http"
	"testing"
	"time"
)

// TestSilentConnectionsDoNotDelayShutdown stops a server to which a client has connected without sending anything.
func TestSilentConnectionsDoNotDelayShutdown(t *testing.T) {
	t.Parallel()
	server := &http.Server{Handler: http.NotFoundHandler()}
	Enable(server)
	armed := server.ConnState
	connected := make(chan struct{})
	server.ConnState = func(c net.Conn, state http.ConnState) {
		armed(c, state)
		if state == http.StateNew {
			close(connected)
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	client, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	<-connected
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second) // the server alone would take five seconds
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		t.Errorf("Shutdown: %v", err)
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		t.Errorf("Serve: %v", err)
	}
	if _, err := client.Read(make([]byte, 1)); err == nil {
		t.Error("the silent connection is still open")
	}
}
