package server

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// childAttributes makes a child process end with this process, even if this one is killed. The system sends the signal
// when the thread that started the child ends, so main must stay on its thread.
func childAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

// processCPU reads the CPU clock of a process, which has nanoseconds: /proc/PID/stat counts in steps of 10 ms. The
// clock's number is that of clock_getcpuclockid(3).
func processCPU(pid int) (time.Duration, error) {
	var t syscall.Timespec
	const schedulerClock = 2
	_, _, errno := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, uintptr(^pid<<3|schedulerClock),
		uintptr(unsafe.Pointer(&t)), 0)
	if errno != 0 {
		return 0, fmt.Errorf("CPU clock of process %d: %w", pid, errno)
	}
	return time.Duration(t.Nano()), nil
}

// OwnCPU returns the CPU time that this process has used.
func OwnCPU() time.Duration {
	d, err := processCPU(os.Getpid())
	if err != nil {
		return 0
	}
	return d
}

// residentBytes reads a field of /proc/PID/status.
func residentBytes(pid int, field string) (int64, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	_, after, _ := strings.Cut(string(b), field)
	kib, _, _ := strings.Cut(strings.TrimSpace(after), " ")
	n, err := strconv.ParseInt(kib, 10, 64)
	return n << 10, err
}

// MachineCPU returns the CPU time that all processes have used, and that the hypervisor has taken.
func MachineCPU() (used time.Duration) {
	const (
		idle, waiting, stolen = 3, 4, 7
		tick                  = 10 * time.Millisecond
	)
	b, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	line, _, _ := strings.Cut(string(b), "\n")
	for i, field := range strings.Fields(line)[1:] {
		if n, err := strconv.Atoi(field); err == nil && i <= stolen && i != idle && i != waiting {
			used += time.Duration(n) * tick
		}
	}
	return used
}

// Sleep waits with the precision of the system's timers: Go's have a millisecond.
func Sleep(d time.Duration) {
	t := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&t, nil)
}
