package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// dataDir is Pebble's subfolder, beside the marker.
const dataDir = "data"

// OpenError reports why a folder cannot be opened, and what to do about it. Its text is one line.
type OpenError struct {
	Dir     string // the folder
	Problem string // what is wrong with it
	Remedy  string // what the user can do
	Err     error  // the cause, or nil
}

// Error returns the folder, the problem, the cause and the remedy.
func (e *OpenError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("data folder %s %s: %s", e.Dir, e.Problem, e.Remedy)
	}
	cause := strings.ReplaceAll(e.Err.Error(), "\n", "; ") // it may be several errors, one a line
	return fmt.Sprintf("data folder %s %s (%s): %s", e.Dir, e.Problem, cause, e.Remedy)
}

// Unwrap returns the cause.
func (e *OpenError) Unwrap() error { return e.Err }

// folder is a data folder that is about to be opened or checked.
type folder struct {
	fs         vfs.FS      // of the machine, below encryption; limits, or disk
	limits     *deadlineFS // gives operations a time limit while the folder is opened or checked; nil: they have none
	disk       vfs.FS      // of the machine, without time limits
	dir        string
	rootKey    string // path of the root key; empty: the one in the folder
	encrypt    bool   // encrypt a new folder; it and a rootKey refuse a folder that is not encrypted
	acceptLoss bool
	findUnread bool  // a file that the disk does not read is a finding, so that the others are still read
	cache      int64 // bytes; 0: the default
	memTable   int   // bytes; 0: as for the cache
	unmarked   bool  // a new folder gets no marker
	logger     *slog.Logger
	survey     func(*Store)
	hidden     []string // damaged OPTIONS files, which are hidden from Pebble
}

func newFolder(opts Options, logger *slog.Logger) *folder {
	f := &folder{disk: opts.Disk, dir: opts.Dir, rootKey: opts.RootKey, encrypt: opts.Encrypt, acceptLoss: opts.AcceptLoss,
		cache: opts.Cache, memTable: opts.memTable, unmarked: opts.unmarked, survey: opts.Survey, logger: logger}
	if f.disk == nil {
		f.disk = vfs.Default
	}
	f.fs = f.disk
	return f
}

// data returns the folder of Pebble's files.
func (f *folder) data() string { return filepath.Join(f.dir, dataDir) }

// decrypted returns the file system through which Pebble sees the folder's files.
func (f *folder) decrypted(files vfs.FS, key []byte) (vfs.FS, error) {
	if key == nil {
		return files, nil
	}
	return newCipherFS(files, key)
}

// openFolder opens the database of a folder. If the disk does not answer in time, it returns which operation waits.
func (s *Store) openFolder(opts Options, logger *slog.Logger) error {
	f := newFolder(opts, logger)
	f.limit(s.condition, "the start waits")
	defer f.endLimits()
	err := s.examineAndOpen(f)
	if err != nil {
		err = cmp.Or(f.unanswered(), err)
	}
	return err
}

// examineAndOpen checks a folder first: nothing is written to one that is not ours or that is incomplete, and nothing
// is created again in one that was created before.
func (s *Store) examineAndOpen(f *folder) error {
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
	m, err = f.readMarker() // again: the previous holder of the lock may have written it
	if err == nil && m == nil {
		m, err = f.claim()
	}
	if err == nil && (f.encrypt || f.rootKey != "") && m.key == nil {
		err = &OpenError{f.dir, "is not encrypted", "open it without --encrypt-data and --root-key, or choose an empty folder", nil}
	}
	if err == nil {
		err = s.openData(f, m)
	}
	if err != nil {
		s.giveUp()
	}
	return err
}

// giveUp closes what a failed opening has opened. What the disk does not complete in time is abandoned.
func (s *Store) giveUp() {
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		if s.record != nil {
			_ = s.record.close(false)
		}
		s.space.close()
		if s.guard != nil {
			s.guard.stopReads()
		}
		_ = s.lock.Close()
	}()
	select {
	case <-closed:
	case <-time.After(closeLimit):
	}
}

// openData checks a locked folder and opens its database.
func (s *Store) openData(f *folder, m *marker) error {
	exam, err := f.admit(m)
	if err == nil {
		err = f.upgrade(m)
	}
	if err != nil {
		return err
	}
	record, err := openIntegrity(f.fs, f.dir, m.key, exam)
	if err != nil {
		return inaccessible(f.dir, err)
	}
	record.file = record.file.(*deadlineFile).File // each commit writes to it
	s.record, s.folder, s.marker = record, f, m
	if err := s.openRecorded(f, m, record); err != nil {
		return err
	}
	if err := f.fs.RemoveAll(s.checkpoints.dir); err != nil {
		f.logger.Warn("what a backup left cannot be removed; the next backup or start tries again", "folder",
			s.checkpoints.dir, "error", err)
	}
	return nil
}

// openRecorded opens the database and records its writes from then on.
func (s *Store) openRecorded(f *folder, m *marker, record *integrityFile) error {
	recorded := &integrityFS{FS: f.disk, data: f.data(), record: record, ahead: m.key == nil}
	guard := newGuardFS(recorded, s.condition)
	guard.machine = f.disk == vfs.Default
	s.space = watchSpace(guard, f.dir, s.minFree, f.logger)
	guard.space = s.space
	s.guard = guard
	if err := s.space.look(f.fs); errors.Is(err, errNotAnswered) { // the guard's answer would be that it is unknown
		return inaccessible(f.dir, err)
	}
	s.checkpoints = &checkpointFS{FS: guard, dir: filepath.Join(f.dir, checkpointDir), space: s.space}
	files, err := f.decrypted(s.checkpoints, m.key)
	if err != nil {
		return err
	}
	s.data, s.condition.locate = f.data(), s.locate
	creating := record.record.state == stateCreating
	db, err := openPebble(f.data(), func() *pebble.Options {
		opts := diskSettings(s.condition, s.space, s.ops.busy, files, cmp.Or(f.cache, blockCache))
		if f.memTable > 0 {
			opts.MemTableSize = uint64(f.memTable)
		}
		opts.Lock = s.lock
		opts.ErrorIfNotExists = !creating
		return opts
	}, guard)
	if err != nil {
		return unopenable(f.dir, err)
	}
	s.db = db
	sublevels := func() int32 { return db.Metrics().Levels[0].Sublevels }
	s.condition.overlap.sublevels.Store(&sublevels)
	s.condition.tables.Store(measuredBytes(db))
	err = s.initFilter()
	if err == nil && creating {
		err = guard.complete(filepath.Join(f.dir, integrityName), record)
	}
	if err != nil {
		err = errors.Join(unopenable(f.dir, err), s.closeData())
		s.db = nil
		return err
	}
	return nil
}

// initFilter starts the filter of keys if the folder has none. With keys in it, each opening would have to read them
// all to fill the filter.
func (s *Store) initFilter() error {
	empty, err := isEmpty(pebbleOf(s))
	if empty {
		s.filter.Store(newKeyFilter())
	}
	return err
}

func isEmpty(db *pebble.DB) (bool, error) {
	it, err := db.NewIter(nil)
	if err != nil {
		return false, err
	}
	any := it.First()
	err = it.Close() // returns its error too
	return !any && err == nil, err
}

// prepare creates the folders of a new data folder.
func (f *folder) prepare() error {
	if err := makeFolder(f.fs, f.dir); err != nil {
		return inaccessible(f.dir, err)
	}
	if err := f.checkEmpty(); err != nil {
		return err
	}
	if err := makeFolder(f.fs, f.data()); err != nil {
		return inaccessible(f.dir, err)
	}
	return nil
}

// makeFolder creates a folder and its missing parents on stable storage: if a power cut loses the name of a folder, it
// loses everything that was synced in it.
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
		if err := syncFolder(files, parent); err != nil && !errors.Is(err, fs.ErrPermission) { // an existing folder
			return err
		}
	}
	return nil
}

// checkEmpty refuses a folder that has anything in it but what the first opening may have left behind.
func (f *folder) checkEmpty() error {
	names, err := f.fs.List(f.dir)
	if err != nil {
		return inaccessible(f.dir, err)
	}
	for _, name := range names {
		if strings.HasPrefix(name, rootKeyTemp) {
			continue
		}
		switch name {
		case markerTemp, rootKeyName, integrityName, integrityName + ".new", checkpointDir:
		case dataDir:
			files, err := f.fs.List(f.data())
			if err == nil && len(files) <= 1 { // the lock
				continue
			}
			_, ok, err := currentManifest(f.fs, f.data())
			if ok && err == nil || slices.Contains(names, integrityName) {
				return &OpenError{f.dir, "has lost its FORMAT file, or is an incomplete backup or salvage",
					"restore that file from a copy, or remove the folder and repeat the backup or salvage", nil}
			}
			fallthrough
		default:
			return &OpenError{f.dir, "contains other files, such as " + name, "choose an empty folder", nil}
		}
	}
	return nil
}

// claim marks an empty, locked folder as ours. Until the database exists, its integrity record has the state creating:
// if the process is killed, the next one completes the folder.
func (f *folder) claim() (*marker, error) {
	if err := f.checkEmpty(); err != nil {
		return nil, err
	}
	m, err := f.newMarker()
	if err != nil {
		return nil, err
	}
	err = createIntegrity(f.fs, f.dir, m.key, integrityRecord{state: stateCreating})
	if err == nil && !f.unmarked {
		err = m.write(f.fs, f.dir)
	}
	if err != nil {
		return nil, inaccessible(f.dir, err)
	}
	return m, nil
}

// lock takes the lock that refuses a second opening, by this process or another.
func (f *folder) lock() (*pebble.Lock, error) {
	lock, err := pebble.LockDirectory(f.data(), f.fs)
	switch {
	case err == nil:
		return lock, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, damaged(f.dir, Finding{File: dataDir, Problem: "is missing"})
	case errors.Is(err, syscall.EROFS), errors.Is(err, syscall.EIO), vfs.IsNoSpaceError(err),
		errors.Is(err, errNotAnswered), errors.Is(err, fs.ErrPermission) && !f.writable():
		return nil, inaccessible(f.dir, err)
	default:
		return nil, &OpenError{f.dir, "is in use by another emulator", "stop it, or choose another folder", err}
	}
}

// writable reports whether the folder can be written to. Some systems return the same error for a folder without
// permission and for a lock that another process holds.
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
		return &OpenError{dir, "is on a read-only file system", "mount it for writing, or start on a copy: tabletop backup " +
			dir + " NEWDIR", err}
	case errors.Is(err, fs.ErrPermission):
		return &OpenError{dir, "cannot be read and written",
			"give this user read and write permission, or choose another folder", err}
	case vfs.IsNoSpaceError(err):
		return &OpenError{dir, "cannot be written", remedy(err), err}
	case errors.Is(err, errNotAnswered):
		return &OpenError{dir, "cannot be read and written", remedy(err), err}
	default:
		return &OpenError{dir, "cannot be read and written", "choose another folder", err}
	}
}

func unopenable(dir string, err error) error {
	var failure *Failure
	var unread *ReadError
	switch {
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return inaccessible(dir, err)
	case errors.As(err, &failure) && !failure.Damaged:
		return &OpenError{dir, fmt.Sprintf("cannot be written: cannot %s %s", failure.Op, failure.Path),
			remedy(failure.Err), failure.Err}
	case errors.As(err, &unread) && unread.Err == errNotAnswered:
		return inaccessible(dir, &fs.PathError{Op: "read", Path: unread.Path, Err: unread.Err})
	}
	return &OpenError{dir, "contains a damaged database", salvageRemedy(dir), oneLine(err)}
}

func salvageRemedy(dir string) string {
	return "restore it from a backup, or copy what can be read: tabletop doctor " + dir + " --salvage NEWDIR"
}

// oneLine shortens the text of an error to one short line: Pebble's may have stack traces.
func oneLine(err error) error { return summary{err} }

type summary struct{ error }

// Error returns the text, shortened.
func (s summary) Error() string {
	return strings.TrimSpace(strings.ReplaceAll(shortMessage(s.error), "<corruption detail carrier>", ""))
}

// Unwrap returns the original error.
func (s summary) Unwrap() error { return s.error }
