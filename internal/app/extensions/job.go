package extensions

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	// stopGrace is how long a child may take to remove what it has created, after it was asked to stop.
	stopGrace = 5 * time.Second
	// maxMessages and maxMessage limit what is kept of the lines that are not progress: their number, and their bytes.
	maxMessages = 20
	maxMessage  = 4 << 10
	// maxLine is the size in bytes of the longest line of progress.
	maxLine = 32 << 20
)

// jobState is what a child process does.
type jobState string

const (
	jobRunning  jobState = "running"
	jobStopping jobState = "stopping"
	jobStopped  jobState = "stopped"  // because it was asked to
	jobEnded    jobState = "ended"    // by itself, with exit status 0 or 1: the work is done
	jobFailed   jobState = "failed"   // otherwise: see its last message
	jobTimedOut jobState = "timedOut" // it took longer than its limit
)

// job is a child process that runs a command of this program.
type job struct {
	started time.Time
	ended   chan struct{}
	cancel  context.CancelCauseFunc

	process *os.Process

	mu       sync.Mutex
	state    jobState
	messages []string // the last lines of the error stream that are not progress
}

// spec is what a child runs.
type spec struct {
	args  []string
	env   []string             // in addition to this process's environment, without its TABLETOP_ variables
	limit time.Duration        // it is stopped after this
	grace time.Duration        // how long it may take to stop, unless the emulator ends; default stopGrace
	out   io.Writer            // its output; nil: discarded
	line  func([]byte)         // called with each line of JSON on its error stream, one at a time
	ended func(state jobState) // if not nil, called when the child has ended, before that is reported
}

// jobs starts one child at a time.
type jobs struct {
	program string

	mu      sync.Mutex
	current *job // the latest; nil: none yet
	closed  bool
}

var (
	errBusy    = errors.New("a load test, scenarios or a simulation are running: stop them first, or wait until they end")
	errClosing = errors.New("the emulator is being stopped")
	errStopped = errors.New("stopped")
)

// start starts a child. Errors: another one runs, or the program cannot be started.
func (s *jobs) start(what spec) (*job, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return nil, errClosing
	case s.current != nil && !s.current.hasEnded():
		return nil, errBusy
	}
	limited, free := context.WithTimeout(context.Background(), what.limit)
	ctx, cancel := context.WithCancelCause(limited)
	j := &job{started: time.Now().UTC(), ended: make(chan struct{}), cancel: cancel, state: jobRunning}
	cmd := exec.CommandContext(ctx, s.program, what.args...)
	cmd.Env = append(inherited(os.Environ()), what.env...)
	cmd.WaitDelay = cmp.Or(what.grace, stopGrace)
	cmd.Stdout = what.out
	cmd.Cancel = func() error {
		j.setState(jobStopping)
		return interrupt(cmd.Process)
	}
	output, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		free()
		return nil, err
	}
	j.process = cmd.Process
	go func() {
		defer free()
		j.run(ctx, cmd, output, what)
	}()
	s.current = j
	return j, nil
}

// close stops the child, waits for its end, and makes start fail. A child that takes too long to stop is killed.
func (s *jobs) close() {
	s.mu.Lock()
	s.closed = true
	j := s.current
	s.mu.Unlock()
	if j != nil {
		j.cancel(errStopped)
		select {
		case <-j.ended:
		case <-time.After(stopGrace):
			_ = j.process.Kill() // fails only if it has ended
			<-j.ended
		}
	}
}

// stop asks the child to stop. A child that was asked already is killed: it takes the time that spec.grace allows.
func (j *job) stop() {
	if state, _ := j.status(); state == jobStopping {
		_ = j.process.Kill() // fails only if it has ended
		return
	}
	j.cancel(errStopped)
}

// run reads the child's error stream until the child ends.
func (j *job) run(ctx context.Context, cmd *exec.Cmd, output io.Reader, what spec) {
	defer close(j.ended)
	defer j.cancel(nil)
	lines := bufio.NewScanner(output)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		if text := lines.Bytes(); bytes.HasPrefix(text, []byte("{")) {
			what.line(text)
		} else {
			j.addMessage(lines.Text())
		}
	}
	_, _ = io.Copy(io.Discard, output) // what follows a line that is too long
	err := cmd.Wait()
	state := endState(ctx, cmd.ProcessState, err)
	if what.ended != nil {
		what.ended(state)
	}
	j.setState(state)
}

// endState returns the state of a child that has ended.
func endState(ctx context.Context, process *os.ProcessState, err error) jobState {
	switch {
	case errors.Is(context.Cause(ctx), errStopped):
		return jobStopped
	case ctx.Err() != nil:
		return jobTimedOut
	case err == nil || process.ExitCode() == 1:
		return jobEnded
	}
	return jobFailed
}

// interrupt asks a process to stop as Ctrl-C does; where the system cannot, it ends the process.
func interrupt(p *os.Process) error {
	if err := p.Signal(os.Interrupt); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return p.Kill()
	}
	return nil
}

// inherited returns the environment for a child: without the variables that set flags.
func inherited(env []string) []string {
	return slices.DeleteFunc(env, func(one string) bool { return strings.HasPrefix(one, "TABLETOP_") })
}

func (j *job) setState(s jobState) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.state = s
}

func (j *job) addMessage(text string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.messages = append(j.messages, text[:min(len(text), maxMessage)])
	if len(j.messages) > maxMessages {
		j.messages = slices.Delete(j.messages, 0, 1)
	}
}

// status returns the state, and the last message, or "" if there is none.
func (j *job) status() (state jobState, message string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.messages) > 0 {
		message = j.messages[len(j.messages)-1]
	}
	return j.state, message
}

func (j *job) hasEnded() bool {
	select {
	case <-j.ended:
		return true
	default:
		return false
	}
}
