package emulator

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
)

// TestCloseCancelsRunningRequests closes a port with a request that waits for its client: after the grace period, its
// context is canceled.
func TestCloseCancelsRunningRequests(t *testing.T) {
	t.Parallel()
	p, err := listen("", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	begun, ended := make(chan struct{}), make(chan struct{})
	p.serve(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(begun)
		<-r.Context().Done()
		close(ended)
	}), inflight.New(inflight.Limits{}), nil, nil)
	go func() {
		if resp, err := http.Get("http://" + p.listener.Addr().String()); err == nil {
			resp.Body.Close()
		}
	}()
	<-begun
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if err := p.close(ctx); err != nil {
		t.Error(err)
	}
	<-ended
}

// TestCloseReturnsDuringAnyOperation closes an emulator with an operation that never ends.
func TestCloseReturnsDuringAnyOperation(t *testing.T) {
	t.Parallel()
	e, err := Start()
	if err != nil {
		t.Fatal(err)
	}
	held, release, replaced := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		replaced <- e.dynamo.Replace(t.Context(), func() error {
			close(held)
			<-release
			return nil
		})
	}()
	<-held
	e.closing = 100 * time.Millisecond
	if err := e.Close(); !errors.Is(err, ErrNotClosed) {
		t.Errorf("Close: %v, want ErrNotClosed", err)
	}
	close(release)
	if err := <-replaced; err != nil {
		t.Error(err)
	}
}
