package command

import (
	"fmt"
	"io"
	"time"
)

// StopTimeout is how long a command may take to stop after SIGTERM.
const StopTimeout = 9500 * time.Millisecond

// RunBounded runs a command and returns its exit status. Once stop is closed, the command has limit to end; after that
// RunBounded returns 1 while the command may still be running, and writes a line saying so to stderr.
func RunBounded(stop <-chan struct{}, limit time.Duration, stderr io.Writer, command func() int) int {
	ended := make(chan int, 1)
	go func() { ended <- command() }()
	select {
	case status := <-ended:
		return status
	case <-stop:
	}
	timeout := time.NewTimer(limit)
	defer timeout.Stop()
	select {
	case status := <-ended:
		return status
	case <-timeout.C:
		_, _ = fmt.Fprintf(stderr, "tabletop: did not stop within %s of SIGTERM, exiting; acknowledged writes are kept\n",
			limit)
		return 1
	}
}
