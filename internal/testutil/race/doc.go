// Package race reports whether a test runs under the race detector, which makes pools drop values at random, so that
// counts of allocations are meaningless.
package race
