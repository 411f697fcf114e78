//go:build !linux

package process

import (
	"os/exec"

	"github.com/tabletop-db/tabletop/internal/explore/processgroup"
)

// endRest ends what is left of the group of a command that has ended, and reports whether there was anything. The
// environment of other processes cannot be read here: a process that has left the group keeps running.
func endRest(cmd *exec.Cmd, _ string) bool { return processgroup.End(cmd.Process.Pid) }
