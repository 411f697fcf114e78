package command

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/internal/util/heap"
)

// Run runs the process's own command line on a tree of commands and returns the exit status. The first Ctrl-C or
// SIGTERM asks the command to stop cleanly; a second one ends the process at once, because stop and leave restore the
// default handling. After SIGTERM, which a supervisor sends, the process always ends within ten
// seconds.
func Run(root *cobra.Command) int {
	ctx, cancel := context.WithCancelCause(context.Background())
	interrupted, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	terminated, leave := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer leave()
	context.AfterFunc(interrupted, func() {
		cancel(interrupt)
		stop()
	})
	context.AfterFunc(terminated, func() {
		cancel(terminate)
		stop()
		leave()
	})
	heap.Tune()
	return RunBounded(terminated.Done(), StopTimeout, os.Stderr, func() int {
		return Main(ctx, Process{Args: os.Args[1:], Env: os.LookupEnv, Stdout: os.Stdout, Stderr: os.Stderr}, root)
	})
}
