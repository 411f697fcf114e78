//go:build !linux

package server

import (
	"syscall"
	"time"
)

func childAttributes() *syscall.SysProcAttr { return nil }

func processCPU(int) (time.Duration, error) { return 0, ErrUnsupported }

func residentBytes(int, string) (int64, error) { return 0, ErrUnsupported }

// OwnCPU returns 0: it needs Linux.
func OwnCPU() time.Duration { return 0 }

// MachineCPU returns 0: it needs Linux.
func MachineCPU() time.Duration { return 0 }

// Sleep waits.
func Sleep(d time.Duration) { time.Sleep(d) }
