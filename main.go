// Command tabletop is a cloud database on a desk: an emulator of Amazon DynamoDB and Azure Cosmos DB, backends on documented
// schemas, their specs, their load profiles and the simulated devices and people that make the traffic.
//
// Run it without arguments for the list of commands.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/tabletop-db/tabletop/internal/cli"
	"github.com/tabletop-db/tabletop/internal/heap"
	"github.com/tabletop-db/tabletop/internal/startpath"
)

func main() {
	os.Exit(run())
}

// run returns the process's exit status. A first Ctrl-C or SIGTERM asks the command to stop cleanly; a second one ends
// the process at once, because stop restores the default handling as soon as the context is done. After SIGTERM, which comes
// from a supervisor, the process ends within ten seconds in any case.
func run() int {
	startpath.Restore()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	terminated, leave := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer leave()
	context.AfterFunc(ctx, stop)
	context.AfterFunc(terminated, leave)
	heap.Tune()
	return cli.Bounded(terminated.Done(), cli.StopTimeout, os.Stderr, func() int {
		return cli.Main(ctx, cli.Process{
			Args:   os.Args[1:],
			Env:    os.LookupEnv,
			Stdout: os.Stdout,
			Stderr: os.Stderr,
		})
	})
}
