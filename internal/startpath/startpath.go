// Package startpath keeps imported packages from starting programs while they initialize: godog runs `go env` then,
// which costs each command of tabletop about 10 ms wherever Go is installed, and godog uses the answer only to build
// test programs.
//
// It relies on the order of initialization that Go specifies since 1.21: of the packages whose imports are ready, the
// one with the least import path comes first. This package needs only os, so it is ready before os/exec is.
package startpath

import "os"

// saved is the PATH that the process started with. It is empty from here until [Restore].
var saved = hide()

func hide() string {
	path := os.Getenv("PATH")
	_ = os.Setenv("PATH", "")
	return path
}

// Restore sets PATH to what it was when the process started. Call it first in main.
func Restore() { _ = os.Setenv("PATH", saved) }
