//go:build !linux

package targets

import "os/exec"

// dieWithParent does nothing here: only Close stops the child, because this system ties no child to its parent's death.
func dieWithParent(*exec.Cmd) {}
