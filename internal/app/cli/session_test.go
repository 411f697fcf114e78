package cli

import (
	"bytes"
	"context"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// patience is how long a test waits for a command to print something.
const patience = await.Timeout

// session is a command that runs in the background until it is stopped.
type session struct {
	out, err *transcript
	cancel   context.CancelFunc
	status   chan int
}

// start runs a command line in the background. It is stopped at the end of the test at the latest.
func start(t *testing.T, args ...string) *session {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	s := &session{out: newTranscript(), err: newTranscript(), cancel: cancel, status: make(chan int, 1)}
	go func() {
		s.status <- Main(ctx, command.Process{Args: args, Env: lookup(nil), Stdout: s.out, Stderr: s.err})
	}()
	t.Cleanup(func() { cancel() })
	return s
}

// await waits until the command has printed a match of the pattern and returns the first one.
func (s *session) await(t *testing.T, pattern string) string {
	t.Helper()
	timeout := time.After(patience)
	re := regexp.MustCompile(pattern)
	for {
		changed := s.out.changed()
		if found := re.FindString(s.out.String()); found != "" {
			return found
		}
		select {
		case <-changed:
		case status := <-s.status:
			t.Fatalf("it ended with status %d before it printed %s\n%s%s", status, pattern, s.out, s.err)
		case <-timeout:
			t.Fatalf("it did not print %s\n%s%s", pattern, s.out, s.err)
		}
	}
}

// stop asks the command to stop, as Ctrl-C does, and returns its outcome.
func (s *session) stop(t *testing.T) outcome {
	t.Helper()
	s.cancel()
	return s.wait(t)
}

// wait waits until the command ends by itself and returns its outcome.
func (s *session) wait(t *testing.T) outcome {
	t.Helper()
	select {
	case status := <-s.status:
		return outcome{status, s.out.String(), s.err.String()}
	case <-time.After(patience):
		t.Fatalf("it does not end\n%s%s", s.out, s.err)
		return outcome{}
	}
}

// transcript is a stream that can be read while it is being written.
type transcript struct {
	mu      sync.Mutex
	text    bytes.Buffer
	written chan struct{} // closed at the next write
}

func newTranscript() *transcript { return &transcript{written: make(chan struct{})} }

// Write adds to the transcript and wakes up those who wait for a change.
func (t *transcript) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	close(t.written)
	t.written = make(chan struct{})
	return t.text.Write(p)
}

func (t *transcript) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.String()
}

// changed returns a channel that is closed at the next write.
func (t *transcript) changed() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.written
}
