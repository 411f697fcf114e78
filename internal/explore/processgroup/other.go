//go:build !unix

package processgroup

import (
	"os"
	"os/exec"
)

// Own does nothing: this system ends processes one by one.
func Own(*exec.Cmd) {}

// End ends one process at once, without what it has started, and reports whether it was there.
func End(leader int) bool {
	process, err := os.FindProcess(leader)
	return err == nil && process.Kill() == nil
}
