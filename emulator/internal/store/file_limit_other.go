//go:build !unix

package store

// fileLimit returns how many files the process may have open: there is no limit.
func fileLimit() int { return 2 * openTables }
