//go:build !unix

package store

// syncDir does nothing on systems that cannot sync folders.
func syncDir(string) error { return nil }
