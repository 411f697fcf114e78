package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
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
