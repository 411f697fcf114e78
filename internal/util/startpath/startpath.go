// Package startpath keeps imported packages from starting programs during initialization: godog runs `go env` then,
// which costs each command of tabletop about 10 ms where Go is installed, and godog needs the result only to build test
// programs.
//
// It relies on the initialization order that Go specifies since 1.21: of the packages whose imports are initialized,
// the one with the smallest import path comes first. This package needs only os, so it is initialized before os/exec.
package startpath

import "os"

// saved is the PATH of the process at its start. PATH is empty from here until [Restore].
var saved = clear()

func clear() string {
	path := os.Getenv("PATH")
	_ = os.Setenv("PATH", "")
	return path
}

// Restore sets PATH to its value at the start of the process. Call it first in main.
func Restore() { _ = os.Setenv("PATH", saved) }
