package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"time"

	"github.com/tabletop-db/tabletop/internal/explore/processgroup"
)

// child is a process that runs a command once.
type child struct {
	args  []string
	env   []string
	limit time.Duration
	out   io.Writer // where its output goes too; nil: nowhere
}

// ended is how a process ended.
type ended struct {
	reason string // why it did not succeed; empty: exit status 0
	output string // the end of what it printed
	left   bool   // it left other processes running, which were ended
}

// drainTime is how long the output of a process is read after it and all that it started have ended.
const drainTime = time.Second

// runChild starts a process and waits until it ends, for at most its limit. Then it ends what is left of the process
// and of everything that it started. The error is that of ctx, or says why the process could not be started.
func runChild(ctx context.Context, c child) (ended, error) {
	runtime.LockOSThread() // on Linux the process ends with the thread that started it
	defer runtime.UnlockOSThread()
	cmd := exec.Command(c.args[0], c.args[1:]...)
	mark := newMark()
	cmd.Env = append(c.env, mark)
	processgroup.Own(cmd)
	endWithParent(cmd)
	output := &tail{also: c.out}
	r, w, err := os.Pipe()
	if err != nil {
		return ended{}, err
	}
	defer func() { _ = r.Close() }()
	cmd.Stdout, cmd.Stderr = w, w
	err = cmd.Start()
	_ = w.Close() // the process has its own
	if err != nil {
		return ended{}, startError(c.args[0], err)
	}
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		_, _ = io.Copy(output, r)
	}()
	e := await(ctx, cmd, c.limit)
	e.left = endRest(cmd, mark) && e.left
	select {
	case <-drained:
	case <-time.After(drainTime):
	}
	e.output = output.String()
	return e, ctx.Err()
}

// await waits for the process to end, and ends it if it takes too long or ctx is done.
func await(ctx context.Context, cmd *exec.Cmd, limit time.Duration) ended {
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	late := time.NewTimer(limit)
	defer late.Stop()
	select {
	case err := <-done:
		return ended{reason: reason(err), left: true}
	case <-late.C:
		processgroup.End(cmd.Process.Pid)
		<-done
		return ended{reason: fmt.Sprintf("it did not end within %s", limit)}
	case <-ctx.Done():
		processgroup.End(cmd.Process.Pid)
		<-done
		return ended{}
	}
}

// reason says how a process failed; empty if it did not.
func reason(err error) string {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &exit) && !exit.Exited():
		return "it was ended by a signal: " + exit.String()
	default:
		return err.Error()
	}
}

// StartError reports a command that cannot be started.
type StartError struct{ text string }

func (e *StartError) Error() string { return e.text }

func startError(name string, err error) error {
	if errors.Is(err, exec.ErrNotFound) {
		return &StartError{fmt.Sprintf("command %q is not found: write its path, or install it", name)}
	}
	return &StartError{fmt.Sprintf("command %q cannot be started: %v", name, err)}
}
