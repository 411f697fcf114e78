//go:build !linux

package targets

import "os/exec"

// dieWithParent does nothing on this system, which cannot tie a child to its parent's death: only Close stops the
// child.
func dieWithParent(*exec.Cmd) {}
