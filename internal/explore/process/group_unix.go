//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// ownGroup makes a command a process group of its own, so that it can be ended with what it starts.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endWithParent(cmd.SysProcAttr)
}

// endGroup ends a command and what it has started, and reports whether anything was still there.
func endGroup(cmd *exec.Cmd) bool { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) == nil }
