// Package machine describes what measured figures depend on: the code, the machine and its software.
package machine

import (
	"bufio"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// Commit returns the commit of the working tree in the current folder, with "-dirty" if files other than documentation
// have changed: a run writes its own figures there.
func Commit() string {
	commit, err := exec.Command("git", "rev-parse", "--short=10", "HEAD").Output()
	if err != nil {
		return "unknown"
	}
	changes, err := exec.Command("git", "status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs").Output()
	if err != nil || len(changes) > 0 {
		return strings.TrimSpace(string(commit)) + "-dirty"
	}
	return strings.TrimSpace(string(commit))
}

// Processor returns the model of the processor, or its architecture.
func Processor() string {
	file, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if name, value, _ := strings.Cut(lines.Text(), ":"); strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

// Kernel returns the operating system's name and the version of its kernel.
func Kernel() string {
	version, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		return runtime.GOOS
	}
	return "Linux " + strings.TrimSpace(string(version))
}
