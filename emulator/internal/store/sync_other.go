//go:build !unix

package store

// syncDir does nothing where folders cannot be synced.
func syncDir(string) error { return nil }
