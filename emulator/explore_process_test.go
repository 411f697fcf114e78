//go:build unix

package emulator_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// TestWorkersEndWithTheirParent kills the process that explores a test while a run of it waits for ever.
func TestWorkersEndWithTheirParent(t *testing.T) {
	t.Parallel()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "pid")
	parent := exec.CommandContext(t.Context(), path, "-test.run=^TestExplored$", "-test.timeout=5m")
	parent.Env = append(os.Environ(), exploredVariable+"=names its process", processVariable+"="+file)
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	var text []byte
	await.True(t, "a run in a worker", func() bool { text, err = os.ReadFile(file); return err == nil })
	pid, err := strconv.Atoi(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait()
	await.True(t, "the end of the worker", func() bool { return syscall.Kill(pid, 0) != nil })
}
