package process

import (
	"os/exec"
	"syscall"
)

// endWithParent makes a command of a process group of its own end with this process, even if that is killed.
func endWithParent(cmd *exec.Cmd) { cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL }
