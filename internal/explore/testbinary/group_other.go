//go:build !unix

package testbinary

import (
	"os"
	"os/exec"
)

// ownGroup does nothing: this system ends processes one by one.
func ownGroup(*exec.Cmd) {}

// killGroup ends one process at once, without what it has started.
func killGroup(leader int) {
	if process, err := os.FindProcess(leader); err == nil {
		_ = process.Kill()
	}
}
