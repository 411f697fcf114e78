package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// asTabletop is the environment variable that makes the test binary run as the tabletop command, and then print its
// PATH.
const asTabletop = "TABLETOP_TEST_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(asTabletop) == "" {
		os.Exit(m.Run())
	}
	status := run()
	fmt.Println("PATH=" + os.Getenv("PATH"))
	os.Exit(status)
}

// TestStartRunsNoOtherProgramAndKeepsPath puts a fake go command on the PATH that records each call.
func TestStartRunsNoOtherProgramAndKeepsPath(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in is a shell script")
	}
	folder := t.TempDir()
	calls := filepath.Join(folder, "calls")
	script := "#!/bin/sh\necho \"$@\" >> '" + calls + "'\n"
	if err := os.WriteFile(filepath.Join(folder, "go"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "version")
	cmd.Env = []string{asTabletop + "=1", "PATH=" + folder}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.HasSuffix(string(out), "\nPATH="+folder+"\n") {
		t.Errorf("tabletop version: %v\n%s", err, out)
	}
	if made, err := os.ReadFile(calls); !os.IsNotExist(err) {
		t.Errorf("the start ran: go %s (%v)", made, err)
	}
}

// TestSignalsStopTheProcess sends a signal to a command while it waits for a server.
func TestSignalsStopTheProcess(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot send a signal to another one")
	}
	for signal, want := range map[syscall.Signal]string{
		syscall.SIGINT:  "tabletop: stopped by Ctrl-C before it ended\n130",
		syscall.SIGTERM: "tabletop: stopped by SIGTERM before it ended\n143",
	} {
		asked := make(chan struct{}, 1)
		server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			asked <- struct{}{}
			<-r.Context().Done()
		}))
		t.Cleanup(server.Close)
		var stderr strings.Builder
		cmd := exec.CommandContext(t.Context(), os.Args[0], "health", "--endpoint", server.URL)
		cmd.Env, cmd.Stderr = []string{asTabletop + "=1"}, &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		<-asked
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // the status tells
		if got := stderr.String() + strconv.Itoa(cmd.ProcessState.ExitCode()); got != want {
			t.Errorf("%v: %q, want %q", signal, got, want)
		}
	}
}
