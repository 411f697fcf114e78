package process

import "syscall"

// endWithParent makes a process end with this one, even if that is killed.
func endWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }
