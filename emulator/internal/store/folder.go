package store

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"strings"
	"syscall"

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
	cause := strings.ReplaceAll(e.Err.Error(), "\n", "; ") // of several failures at once
	return fmt.Sprintf("data folder %s %s (%s): %s", e.Dir, e.Problem, cause, e.Remedy)
}

// Unwrap returns the cause.
func (e *OpenError) Unwrap() error { return e.Err }

// folder is a data folder that is about to be opened or examined.
type folder struct {
	fs         vfs.FS // of the machine, below encryption
	dir        string
	rootKey    string // path of the root key; empty for the one in the folder
	encrypt    bool   // a new folder is encrypted, and one that is not encrypted is refused
	acceptLoss bool
	logger     *slog.Logger
	survey     func(*Store)
	hidden     []string // files of settings that are damaged: Pebble is not shown them
}

func newFolder(opts Options, logger *slog.Logger) *folder {
	f := &folder{fs: opts.Disk, dir: opts.Dir, rootKey: opts.RootKey, encrypt: opts.Encrypt, acceptLoss: opts.AcceptLoss, survey: opts.Survey, logger: logger}
	if f.fs == nil {
		f.fs = vfs.Default
	}
	return f
}

// data is where Pebble's files are.
func (f *folder) data() string { return filepath.Join(f.dir, dataDir) }

// decrypted is the file system by which Pebble sees the folder's files.
func (f *folder) decrypted(files vfs.FS, key []byte) (vfs.FS, error) {
	if key == nil {
		return files, nil
	}
	return newCipherFS(files, key)
}

// openFolder opens the database of a folder. It looks first: nothing is written into a folder that is not ours, or that
// does not hold what it must, and nothing is made anew in a folder that was made before.
func (s *Store) openFolder(opts Options, logger *slog.Logger) error {
	f := newFolder(opts, logger)
	m, err := f.readMarker()
	if err == nil && m == nil {
		err = f.prepare()
	}
	if err != nil {
		return err
	}
	if s.lock, err = f.lock(); err != nil {
		return err
	}
	m, err = f.readMarker() // again: who had the lock before may have written it
	if err == nil && m == nil {
		m, err = f.claim()
	}
	if err == nil && f.encrypt && m.key == nil {
		err = &OpenError{f.dir, "is not encrypted", "open it without --encrypt-data, or choose an empty folder", nil}
	}
	if err == nil {
		err = s.openData(f, m)
	}
	if err != nil {
		s.space.close()
		if s.reads != nil {
			s.reads.close()
		}
		_ = s.lock.Close()
	}
	return err
}

// openData examines a folder that is locked and opens the database in it.
func (s *Store) openData(f *folder, m *marker) error {
	exam, err := f.admit(m)
	if err != nil {
		return err
	}
	record, err := openIntegrity(f.fs, f.dir, m.key, exam)
	if err != nil {
		return inaccessible(f.dir, err)
	}
	if err := s.openRecorded(f, m, record); err != nil {
		return errors.Join(err, record.file.Close())
	}
	s.record, s.folder, s.marker = record, f, m
	if err := f.fs.RemoveAll(s.copies.dir); err != nil {
		f.logger.Warn("what a backup left cannot be removed; the next backup or start tries again", "folder", s.copies.dir, "error", err)
	}
	return nil
}

// openRecorded opens the database, whose writes are recorded from then on.
func (s *Store) openRecorded(f *folder, m *marker, record *integrityFile) error {
	s.space = watchSpace(f.fs, f.dir, s.minFree, f.logger)
	recorded := &integrityFS{FS: f.fs, data: f.data(), record: record}
	guard := newGuardFS(recorded, s.condition, s.space)
	s.reads = guard.reads
	s.copies = &checkpointFS{FS: guard, disk: f.fs, dir: filepath.Join(f.dir, checkpointDir), space: s.space}
	files, err := f.decrypted(s.copies, m.key)
	if err != nil {
		return err
	}
	s.data, s.condition.locate = f.data(), s.locate
	opts := diskSettings(s.condition, s.space, files)
	opts.Lock = s.lock
	creating := record.record.state == stateCreating
	opts.ErrorIfNotExists = !creating
	db, err := openPebble(f.data(), opts, s.condition)
	if err != nil {
		return unopenable(f.dir, err)
	}
	s.db = db
	err = s.seeNothing()
	if err == nil && creating {
		err = record.mark(stateOpen)
	}
	if err != nil {
		err = errors.Join(unopenable(f.dir, err), s.db.Close())
		s.db = nil
		return err
	}
	return nil
}

// seeNothing starts the filter of keys when the folder has none. With keys in it, filling the filter would make each
// opening read them all.
func (s *Store) seeNothing() error {
	empty, err := isEmpty(pebbleOf(s))
	if empty {
		s.seen.Store(newSeenKeys())
	}
	return err
}

func isEmpty(db *pebble.DB) (bool, error) {
	it, err := db.NewIter(nil)
	if err != nil {
		return false, err
	}
	any := it.First()
	err = it.Close() // which returns its error too
	return !any && err == nil, err
}

// prepare makes the folders of a new data folder.
func (f *folder) prepare() error {
	if err := makeFolder(f.fs, f.dir); err != nil {
		return inaccessible(f.dir, err)
	}
	if err := f.unclaimed(); err != nil {
		return err
	}
	if err := makeFolder(f.fs, f.data()); err != nil {
		return inaccessible(f.dir, err)
	}
	return nil
}

// makeFolder makes a folder, with those above it that are missing, on stable storage: a folder whose name is lost in a
// power cut is lost with all that was synced in it.
func makeFolder(files vfs.FS, dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	above := []string{filepath.Dir(dir)}
	for parent := above[0]; parent != filepath.Dir(parent); parent = filepath.Dir(parent) {
		if _, err := files.Stat(parent); err == nil {
			break
		}
		above = append(above, filepath.Dir(parent))
	}
	if err := files.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, parent := range above {
		if err := syncFolder(files, parent); err != nil && !errors.Is(err, fs.ErrPermission) { // of a folder that was there
			return err
		}
	}
	return nil
}

// unclaimed refuses a folder that holds anything but what the first opening may have left behind.
func (f *folder) unclaimed() error {
	names, err := f.fs.List(f.dir)
	if err != nil {
		return inaccessible(f.dir, err)
	}
	for _, name := range names {
		switch name {
		case markerTemp, rootKeyTemp, rootKeyName, integrityName, integrityName + ".new", checkpointDir:
		case dataDir:
			files, err := f.fs.List(f.data())
			if err == nil && len(files) <= 1 { // the lock
				continue
			}
			if _, ok, err := currentManifest(f.fs, f.data()); ok && err == nil {
				return &OpenError{f.dir, "has lost its FORMAT file, or is an incomplete backup",
					"put that file back from a copy, or take another backup", nil}
			}
			fallthrough
		default:
			return &OpenError{f.dir, "holds other files, such as " + name, "choose an empty folder", nil}
		}
	}
	return nil
}

// claim marks an empty folder, which is locked, as ours. Its integrity record says, until the database is there, that
// it is being made: a process that is killed meanwhile leaves a folder that the next one completes.
func (f *folder) claim() (*marker, error) {
	if err := f.unclaimed(); err != nil {
		return nil, err
	}
	m, err := f.newMarker()
	if err != nil {
		return nil, err
	}
	if err = createIntegrity(f.fs, f.dir, m.key, integrityRecord{state: stateCreating}); err == nil {
		err = m.write(f.fs, f.dir)
	}
	if err != nil {
		return nil, inaccessible(f.dir, err)
	}
	return m, nil
}

// lock takes the lock by which a second opening, of this process or another, is refused.
func (f *folder) lock() (*pebble.Lock, error) {
	lock, err := pebble.LockDirectory(f.data(), f.fs)
	switch {
	case err == nil:
		return lock, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, damaged(f.dir, Finding{File: dataDir, Problem: "is missing"})
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission) && !f.writable():
		return nil, inaccessible(f.dir, err)
	default:
		return nil, &OpenError{f.dir, "is in use by another emulator", "stop that one, or choose another folder", err}
	}
}

// writable tells a folder without permission from a lock that another process holds, which some systems report as
// the same error.
func (f *folder) writable() bool {
	path := filepath.Join(f.data(), "writable.tmp")
	file, err := f.fs.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return false
	}
	return errors.Join(file.Close(), f.fs.Remove(path)) == nil
}

func inaccessible(dir string, err error) error {
	switch {
	case errors.Is(err, syscall.EROFS):
		return &OpenError{dir, "is on a read-only file system", "mount it for writing, or start on a copy: tabletop backup " + dir + " NEWDIR", err}
	case errors.Is(err, fs.ErrPermission):
		return &OpenError{dir, "cannot be read and written", "give this user read and write permission, or choose another folder", err}
	case vfs.IsNoSpaceError(err):
		return &OpenError{dir, "cannot be written", remedy(err), err}
	default:
		return &OpenError{dir, "cannot be read and written", "choose another folder", err}
	}
}

func unopenable(dir string, err error) error {
	var failure *Failure
	switch {
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return inaccessible(dir, err)
	case errors.As(err, &failure) && !failure.Damaged:
		return &OpenError{dir, fmt.Sprintf("cannot be written: cannot %s %s", failure.Op, failure.Path), remedy(failure.Err), failure.Err}
	}
	return &OpenError{dir, "holds a damaged database", salvageRemedy(dir), oneLine(err)}
}

func salvageRemedy(dir string) string {
	return "restore it from a backup, or copy what can be read: tabletop doctor " + dir + " --salvage NEWDIR"
}

// oneLine is an error whose text is one line and not long: Pebble's may have stack traces in them.
func oneLine(err error) error { return summary{err} }

type summary struct{ error }

// Error returns the text, shortened.
func (s summary) Error() string {
	return strings.TrimSpace(strings.ReplaceAll(shortened(s.error), "<corruption detail carrier>", ""))
}

// Unwrap returns the error itself.
func (s summary) Unwrap() error { return s.error }

// openPebble opens the database. What the disk refuses meanwhile is an error, and so is what Pebble reports by Fatalf,
// which ends the goroutine.
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
