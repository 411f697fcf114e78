//go:build unix

package testbinary

import (
	"os/exec"
	"syscall"
)

// ownGroup makes a command the leader of a process group, so that it can be ended together with what it starts.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends the processes of a group at once. leader is the process id of its leader, which may have ended.
func killGroup(leader int) { _ = syscall.Kill(-leader, syscall.SIGKILL) }
