//go:build unix

package processgroup

import (
	"os/exec"
	"syscall"
)

// Own makes a command that has not started yet the leader of a process group. It sets SysProcAttr.
func Own(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// End ends the processes of a group at once, and reports whether there were any. leader is the process id of its
// leader, which may have ended.
func End(leader int) bool { return syscall.Kill(-leader, syscall.SIGKILL) == nil }
