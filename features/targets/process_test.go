package targets

import (
	"strings"
	"testing"
)

func TestStoppedProcessExits(t *testing.T) {
	t.Parallel()
	// It does not matter whether it still runs when it is stopped.
	p, err := startProcess("go", "env")
	if err != nil {
		t.Fatal(err)
	}
	if err := p.stop(); err != nil {
		t.Fatal(err)
	}
	if p.cmd.ProcessState == nil {
		t.Error("it was not waited for")
	}
	if err := p.stop(); err != nil {
		t.Errorf("stopping it twice: %v", err)
	}
}

func TestProcessOutputIsKept(t *testing.T) {
	t.Parallel()
	p, err := startProcess("go", "version")
	if err != nil {
		t.Fatal(err)
	}
	<-p.ended
	if !strings.HasPrefix(p.out.String(), "go version") {
		t.Errorf("it said %q", p.out.String())
	}
}

func TestMissingProgramIsAnError(t *testing.T) {
	t.Parallel()
	if _, err := startProcess("no-such-program"); err == nil {
		t.Error("it started")
	}
}
