package process

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/tabletop-db/tabletop/internal/explore/processgroup"
)

// maxSweeps bounds how often strays are looked for: each time finds those that began while others were ended.
const maxSweeps = 100

// endRest ends what is left of a command that has ended: its group, and the processes that have left it but still have
// the mark in their environment. It reports whether there was anything.
func endRest(cmd *exec.Cmd, mark string) bool {
	found := len(marked(mark)) > 0 // the group may be only processes that nobody has waited for
	processgroup.End(cmd.Process.Pid)
	for range maxSweeps {
		strays := marked(mark)
		if len(strays) == 0 {
			break
		}
		for _, id := range strays {
			_ = syscall.Kill(id, syscall.SIGKILL)
		}
	}
	return found
}

// marked returns the ids of the processes of this user whose environment has a mark.
func marked(mark string) []int {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	var ids []int
	for _, file := range files {
		environment, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(environment, []byte(mark)) {
			continue // it has ended, or is another user's
		}
		if id, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil && id != os.Getpid() {
			ids = append(ids, id)
		}
	}
	return ids
}
