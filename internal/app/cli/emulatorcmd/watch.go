package emulatorcmd

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
)

// watchInterval is the time between two looks at a running emulator.
const watchInterval = 2 * time.Second

// watch runs show again and again until the command is asked to stop, each time on an empty screen if the output is a
// terminal. It ends with the first error.
func watch(cmd *cobra.Command, interval time.Duration, show func(context.Context) error) error {
	ctx := cmd.Context()
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		command.ClearScreen(cmd)
		if err := show(ctx); err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}
