// Package race tells a test whether it runs under the race detector, which makes pools forget at random: what counts
// allocations then proves nothing.
package race
