package store

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// dataDir is Pebble's folder inside ours, beside the marker.
const dataDir = "data"

// OpenError says why a folder cannot be opened and what to do about it. Its text is one line.
type OpenError struct {
	Dir     string // the folder
	Problem string // what is wrong with it
	Remedy  string // what the user can do
	Err     error  // the cause, or nil
}

// Error names the folder, the problem, the cause and the remedy.
func (e *OpenError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("data folder %s %s: %s", e.Dir, e.Problem, e.Remedy)
	}
	return fmt.Sprintf("data folder %s %s (%v): %s", e.Dir, e.Problem, e.Err, e.Remedy)
}

// Unwrap returns the cause.
func (e *OpenError) Unwrap() error { return e.Err }

// openFolder checks the marker and the root key, locks the folder and opens the database in it, in this order: a folder
// that is not ours is not touched.
func (s *Store) openFolder(dir, rootKey string, logger *slog.Logger) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return inaccessible(dir, err)
	}
	key, err := folderKey(dir, rootKey)
	if err != nil {
		return err
	}
	data := filepath.Join(dir, dataDir)
	if err := os.MkdirAll(data, 0o755); err != nil {
		return inaccessible(dir, err)
	}
	if err := s.lockFolder(dir, data); err != nil {
		return err
	}
	if key == nil {
		key, err = claim(dir, rootKey)
	}
	if err == nil {
		err = s.openData(dir, key, logger)
	}
	if err != nil {
		s.space.close()
		_ = s.lock.Close()
	}
	return err
}

// openData opens the database in a folder that is locked.
func (s *Store) openData(dir string, key []byte, logger *slog.Logger) error {
	data := filepath.Join(dir, dataDir)
	s.space = watchSpace(s.disk, dir, s.minFree, logger)
	files, err := newCipherFS(newGuardFS(s.disk, s.condition, s.space), key)
	if err != nil {
		return err
	}
	opts := diskSettings(s.condition, s.space, files)
	opts.Lock = s.lock
	if s.db, err = openPebble(data, opts, s.condition); err != nil {
		return unopenable(dir, err)
	}
	if err := s.seeNothing(); err != nil {
		_ = s.db.Close()
		return unopenable(dir, err)
	}
	return nil
}

// seeNothing starts the filter of keys when the folder has none. With keys in it, filling the filter would make each
// opening read them all.
func (s *Store) seeNothing() error {
	it, err := s.db.NewIter(nil)
	if err != nil {
		return err
	}
	if !it.First() {
		s.seen.Store(newSeenKeys())
	}
	return it.Close()
}

// lockFolder takes the lock by which a second opening, of this process or another, is refused.
func (s *Store) lockFolder(dir, data string) error {
	lock, err := pebble.LockDirectory(data, vfs.Default)
	switch {
	case err == nil:
		s.lock = lock
		return nil
	case errors.Is(err, fs.ErrPermission) && !writable(data):
		return inaccessible(dir, err)
	default:
		return &OpenError{dir, "is in use by another emulator", "stop that one, or choose another folder", err}
	}
}

// writable tells a folder without permission from a lock that another process holds, which some systems report as
// the same error.
func writable(dir string) bool {
	f, err := os.CreateTemp(dir, "writable-*.tmp")
	if err != nil {
		return false
	}
	return errors.Join(f.Close(), os.Remove(f.Name())) == nil
}

func inaccessible(dir string, err error) error {
	remedy := "give this user read and write permission, or choose another folder"
	if !errors.Is(err, fs.ErrPermission) {
		remedy = "choose another folder"
	}
	return &OpenError{dir, "cannot be read and written", remedy, err}
}

func unopenable(dir string, err error) error {
	var failure *Failure
	switch {
	case errors.Is(err, fs.ErrPermission):
		return inaccessible(dir, err)
	case errors.As(err, &failure) && !failure.Damaged:
		return &OpenError{dir, fmt.Sprintf("cannot be written: cannot %s %s", failure.Op, failure.Path), remedy(failure.Err), failure.Err}
	}
	return &OpenError{dir, "holds a damaged database", "restore it from a copy, or choose another folder", err}
}

// openPebble opens the database. What the disk refuses meanwhile is an error, and so is what Pebble reports by Fatalf, which
// ends the goroutine.
func openPebble(dir string, opts *pebble.Options, c *condition) (*pebble.DB, error) {
	var db *pebble.DB
	err := c.err()
	done := make(chan struct{})
	go func() {
		defer close(done)
		db, err = pebble.Open(dir, opts)
	}()
	<-done
	if failure := c.err(); failure != nil && (db == nil || c.frozen.Load()) {
		c.closing.Store(true)
		if db != nil {
			_ = db.Close()
		}
		return nil, failure
	}
	return db, err
}
