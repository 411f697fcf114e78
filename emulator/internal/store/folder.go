package store

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// OpenError says why a folder cannot be opened and what to do about it. Its text is one line.
type OpenError struct {
	Dir     string // the folder
	Problem string // what is wrong with it
	Remedy  string // what the user can do
	Err     error  // the cause, or nil
}

func (e *OpenError) Error() string {
	return fmt.Sprintf("data folder %s %s: %s", e.Dir, e.Problem, e.Remedy)
}

// Unwrap returns the cause.
func (e *OpenError) Unwrap() error { return e.Err }

func (s *Store) openFolder(dir string, logger *slog.Logger) error {
	data := filepath.Join(dir, "data")
	if err := os.MkdirAll(data, 0o755); err != nil {
		return &OpenError{Dir: dir, Problem: "cannot be made", Remedy: err.Error(), Err: err}
	}
	lock, err := pebble.LockDirectory(data, vfs.Default)
	if err != nil {
		return &OpenError{dir, "is in use by another process", "stop that process or choose another folder", err}
	}
	opts := diskSettings(logger)
	opts.Lock = lock
	s.db, err = pebble.Open(data, opts)
	if err != nil {
		_ = lock.Close()
		return &OpenError{Dir: dir, Problem: "cannot be opened", Remedy: err.Error(), Err: err}
	}
	s.lock = lock
	return nil
}
