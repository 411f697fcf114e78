package targets

import (
	"os/exec"
	"syscall"
)

// killWithParent makes the kernel kill the child when this process ends, however it ends.
func killWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
