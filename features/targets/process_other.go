//go:build !linux

package targets

import "os/exec"

// killWithParent does nothing on this system, which cannot end a child when its parent ends: only Close stops the
// child.
func killWithParent(*exec.Cmd) {}
