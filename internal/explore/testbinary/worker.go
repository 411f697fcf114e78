package testbinary

import (
	"bufio"
	"io"
	"os"
	"time"

	"github.com/tabletop-db/tabletop/internal/explore"
	"github.com/tabletop-db/tabletop/internal/explore/processgroup"
)

// The environment variables of a worker.
const (
	// WorkerVariable makes a test binary a worker. Its value is the beginning of the lines that the worker sends.
	WorkerVariable = "TABLETOP_EXPLORE_WORKER"
	// CallVariable identifies the call that serves the plans, of all that the test makes.
	CallVariable = "TABLETOP_EXPLORE_CALL"
)

// IsWorker reports whether this process is a worker.
func IsWorker() bool { return os.Getenv(WorkerVariable) != "" }

// Serves reports whether a call is the one that this worker serves.
func Serves(call string) bool { return os.Getenv(CallVariable) == call }

// Serve runs the plans that the parent sends, until the parent closes the standard input of this process, as its death
// does. run passes each request that the database receives to record, from several goroutines at a time, and reports
// whether the test passed. Errors: a plan that cannot be read, a closed standard output.
func Serve(run func(p explore.Plan, record func(explore.Request)) (passed bool)) error {
	mark := os.Getenv(WorkerVariable)
	if err := (message{}).send(os.Stdout, mark); err != nil {
		return err
	}
	for line := range plans(os.Stdin) {
		plan, err := decodePlan(line)
		if err != nil {
			return err
		}
		passed := run(plan, func(r explore.Request) {
			_ = message{Request: &r}.send(os.Stdout, mark) // without a parent there is nobody to tell
		})
		if err := (message{Passed: &passed}).send(os.Stdout, mark); err != nil {
			return err
		}
	}
	return nil
}

// endTime is how long a worker may take to end after its parent. A run in progress may never end by itself.
const endTime = time.Second

// plans passes on the lines of in. A while after in has ended, it ends this process and what the test has started.
func plans(in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for r := bufio.NewReader(in); ; {
			line, err := r.ReadString('\n')
			if err != nil {
				time.AfterFunc(endTime, func() { processgroup.End(os.Getpid()) })
				return
			}
			lines <- line
		}
	}()
	return lines
}
