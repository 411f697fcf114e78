package testbinary

import (
	"context"
	"crypto/rand"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/internal/explore"
)

// Binary is a program for [explore.Search]: one test of a test binary.
type Binary struct {
	command command
	limit   time.Duration // of a run
	idle    chan *worker
}

// command is how workers are started.
type command struct {
	path string
	args []string
	mark string // the value of WorkerVariable
	call string // the value of CallVariable
}

// New returns the program that runs a test, by its full name, of the test binary at path. call identifies the call in
// the test that serves the plans, as for Serves. args are the arguments of this process without its name: those of the
// testing package are left out, except -test.short. There are at most parallel workers. limit is how long a run may
// take, and how long a worker may take to start. Close ends the workers.
func New(path, test, call string, args []string, parallel int, limit time.Duration) *Binary {
	own := append([]string{"-test.run=" + Pattern(test), "-test.v=true", "-test.count=1", "-test.timeout=0"},
		ownArgs(args)...)
	return &Binary{command: command{path: path, args: own, mark: "tabletop explore " + rand.Text() + " ", call: call},
		limit: limit, idle: make(chan *worker, parallel)}
}

// Pattern returns the value of -test.run that matches only the test of a full name.
func Pattern(test string) string {
	parts := strings.Split(test, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

// ownArgs returns the arguments that are not the testing package's.
func ownArgs(args []string) []string {
	var own []string
	for _, a := range args {
		name := strings.TrimLeft(a, "-")
		if !strings.HasPrefix(name, "test.") || strings.HasPrefix(name, "test.short") {
			own = append(own, a)
		}
	}
	return own
}

// Run implements [explore.Program]. A worker whose test ended it, or did not end in time, is replaced.
func (b *Binary) Run(ctx context.Context, p explore.Plan) (*explore.Outcome, error) {
	w, err := b.take()
	if err != nil {
		return nil, err
	}
	o, alive := w.run(ctx, p, b.limit)
	if alive {
		b.idle <- w
	} else {
		w.kill()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return o, nil
}

// take returns an idle worker, or a new one.
func (b *Binary) take() (*worker, error) {
	select {
	case w := <-b.idle:
		return w, nil
	default:
	}
	w, err := start(b.command)
	if err != nil {
		return nil, fmt.Errorf("the test binary cannot be started again: %w", err)
	}
	return w, nil
}

// Close ends all workers. No run may be in progress.
func (b *Binary) Close() {
	for {
		select {
		case w := <-b.idle:
			w.kill()
		default:
			return
		}
	}
}
