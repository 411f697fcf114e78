//go:build unix && !linux

package store

// populate is nothing where the kernel has no such flag.
const populate = 0
