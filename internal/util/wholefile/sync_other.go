//go:build !unix

package wholefile

// SyncDir does nothing on systems that cannot sync folders.
func SyncDir(string) error { return nil }
