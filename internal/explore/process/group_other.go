//go:build !unix

package process

import "os/exec"

func ownGroup(*exec.Cmd) {}

// endGroup ends a command. What it has started is left.
func endGroup(cmd *exec.Cmd) bool { return cmd.Process.Kill() == nil }
