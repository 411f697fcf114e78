package script

import (
	"context"
	"errors"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/script/sandbox"
)

// TestWaitingForTheEngineStopsWithTheRequest cancels a request while the engine is being compiled: the request must end
// at once, and the engine must be ready for the next one.
func TestWaitingForTheEngineStopsWithTheRequest(t *testing.T) {
	t.Parallel()
	compiling, want := make(chan struct{}), new(sandbox.Template)
	p := prepare(func() (*sandbox.Template, error) {
		<-compiling
		return want, nil
	})
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("the client is gone")
	ended := make(chan error)
	go func() {
		_, err := p.template(ctx)
		ended <- err
	}()
	cancel(gone)
	if err := <-ended; !errors.Is(err, gone) {
		t.Error("the wait for the engine ended in", err)
	}
	close(compiling)
	for range 2 {
		if got, err := p.template(t.Context()); got != want || err != nil {
			t.Error("the engine was not made:", got, err)
		}
	}
}
