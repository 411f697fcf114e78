package emulatorcmd

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// TestWatchShowsUntilItIsStopped checks that watch shows again and again, and ends without an error when the command is
// stopped, also during a request, and with the error of a request otherwise.
func TestWatchShowsUntilItIsStopped(t *testing.T) {
	t.Parallel()
	failure := errors.New("no emulator")
	for name, c := range map[string]struct {
		stop      bool
		err, want error
	}{"stopped": {stop: true}, "stopped during a request": {stop: true, err: context.Canceled}, "failed": {err: failure,
		want: failure}} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		cmd := &cobra.Command{}
		cmd.SetContext(ctx)
		shown := 0
		err := watch(cmd, time.Millisecond, func(context.Context) error {
			if shown++; shown < 3 {
				return nil
			}
			if c.stop {
				cancel()
			}
			return c.err
		})
		if !errors.Is(err, c.want) || (err == nil) != (c.want == nil) || shown != 3 && c.err != nil {
			t.Errorf("%s: shown %d times, %v", name, shown, err)
		}
	}
}
