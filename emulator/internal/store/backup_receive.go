package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// Received is a backup that was received as a stream and is now a data folder.
type Received struct {
	Taken time.Time // time of the machine on which it was taken
	Files int
	Bytes int64
	// Report is the result of checking the folder; nil if its root key is neither in it nor given.
	Report *Report
}

// StreamError reports that a stream is not a complete backup. Nothing of it is kept.
type StreamError struct {
	Problem string
	Err     error // the cause, or nil
}

// Error returns one line with the problem and the remedy.
func (e *StreamError) Error() string {
	if e.Err == nil {
		return "the backup is incomplete: " + e.Problem + "; nothing was written: repeat the backup"
	}
	return fmt.Sprintf("the backup is incomplete: %s (%v); nothing was written: repeat the backup", e.Problem, oneLine(e.Err))
}

// Unwrap returns the cause.
func (e *StreamError) Unwrap() error { return e.Err }

// Receive turns the stream of [Backup.Write], whose files have size bytes in all, into a new data folder: to.Dir, which
// must not exist. Until it is complete, compared with its summary, checked and on stable storage, it is to.Dir +
// ".partial", without a marker. If Receive fails or ctx is done, that folder is removed, and so is what a killed
// process left there. Of to it uses Dir, RootKey, Disk and MinFree, which applies to the receiving disk. Errors:
// [*StreamError], [*OpenError], [*SpaceError], the cause of ctx.
func Receive(ctx context.Context, in io.Reader, size int64, to Options) (got *Received, err error) {
	r := &receiver{folder: newFolder(to, slog.New(slog.DiscardHandler)), dir: filepath.Clean(to.Dir), expected: size,
		seen: map[string]bool{}}
	r.folder.dir = r.dir + ".partial"
	if err := r.begin(to.MinFree); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.end(err == nil)) }()
	if err := r.receive(&guardedReader{in, func() error { return context.Cause(ctx) }}); err != nil {
		if ended := context.Cause(ctx); ended != nil {
			return nil, ended
		}
		return nil, err
	}
	got = &Received{Taken: r.summary.Taken, Files: len(r.got), Bytes: r.bytes}
	if got.Report, err = r.examine(); err != nil {
		var refusal *OpenError
		if errors.As(err, &refusal) {
			refusal.Dir = r.dir // the name that the user gave
		}
		return nil, err
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	return got, r.complete()
}

// receiver turns one stream into a folder. Its embedded folder is the partial one.
type receiver struct {
	*folder
	dir      string // the final folder
	expected int64  // bytes of all files

	lock    *pebble.Lock // of the partial folder; nil: not locked yet
	space   *spaceWatch
	seen    map[string]bool // names, in lower case: some disks ignore case
	got     []fileSummary
	bytes   int64
	text    []byte // of the summary
	summary backupSummary
	format  []byte // of the marker
}

// begin creates the partial folder. It refuses to overwrite anything, and a backup for which there is no space.
func (r *receiver) begin(minFree uint64) error {
	if _, err := r.fs.Stat(r.dir); !errors.Is(err, fs.ErrNotExist) {
		return &OpenError{r.dir, "already exists", "use a new folder for the backup", err}
	}
	if err := makeFolder(r.fs, r.folder.dir); err != nil {
		return inaccessible(r.dir, err)
	}
	_, err := r.leftovers()
	if err != nil {
		return err
	}
	if err := r.acquire(); err != nil {
		return &OpenError{r.dir, "is in use by another backup", "wait for it, or use another folder", err}
	}
	left, err := r.leftovers() // again: another backup, which had the lock until now, may be complete
	if err != nil {
		return errors.Join(err, r.unlock())
	}
	for _, name := range left {
		err = errors.Join(err, r.fs.RemoveAll(filepath.Join(r.folder.dir, name)))
	}
	if err == nil {
		err = makeFolder(r.fs, r.data())
	}
	if err != nil {
		return errors.Join(inaccessible(r.dir, err), r.end(false))
	}
	r.space = watchSpace(r.fs, r.folder.dir, minFree, r.logger)
	_ = r.space.look(r.fs)
	if err := r.hasSpace(uint64(r.expected)); err != nil {
		return errors.Join(err, r.end(false))
	}
	return nil
}

const (
	// lockName is the lock of a partial folder.
	lockName = "LOCK"
	// maxLocks is how many locks acquire takes until one is of the folder's file.
	maxLocks = 10
)

// acquire locks the partial folder. A backup that ends removes the file of its lock. A process that has opened the file
// just before could still lock it, while another one locks a new file. So the path must name the same file before and
// after.
func (r *receiver) acquire() error {
	path := filepath.Join(r.folder.dir, lockName)
	for range maxLocks {
		before, _ := os.Stat(path)
		lock, err := pebble.LockDirectory(r.folder.dir, r.fs)
		if err != nil {
			return err
		}
		after, _ := os.Stat(path)
		if os.SameFile(before, after) || vfs.Root(r.fs) != vfs.Default { // a disk in memory locks names, not files
			r.lock = lock
			return nil
		}
		_ = lock.Close()
	}
	return errors.New("the file of its lock is replaced again and again")
}

// leftovers lists what a killed backup left in the partial folder, and refuses a folder with anything else in it.
func (r *receiver) leftovers() ([]string, error) {
	names, err := r.fs.List(r.folder.dir)
	if err != nil {
		return nil, inaccessible(r.dir, err)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return name == lockName })
	for _, name := range names {
		switch name {
		case dataDir, integrityName, rootKeyName, markerTemp:
		default:
			if strings.HasPrefix(name, rootKeyTemp) {
				continue
			}
			return nil, &OpenError{r.dir, "cannot be created: " + r.folder.dir + " contains " + name,
				"remove or rename that folder", nil}
		}
	}
	return names, nil
}

// end releases everything, and removes a folder that did not become complete.
func (r *receiver) end(whole bool) error {
	r.space.close()
	if whole {
		return nil
	}
	names, err := r.fs.List(r.folder.dir)
	if errors.Is(err, fs.ErrNotExist) { // it has its final name
		return r.unlock()
	}
	for _, name := range names {
		if name != lockName {
			err = errors.Join(err, r.fs.RemoveAll(filepath.Join(r.folder.dir, name)))
		}
	}
	err = errors.Join(err, r.unlock())
	_ = r.fs.Remove(r.folder.dir) // unless another backup has begun in it
	return err
}

// unlock removes the lock with its file. The file is removed first, because afterwards it may be another backup's.
// Windows does not remove a file that is open, but no other backup's either.
func (r *receiver) unlock() error {
	if r.lock == nil {
		return nil
	}
	path := filepath.Join(r.folder.dir, lockName)
	refused := r.fs.Remove(path)
	err := r.lock.Close()
	r.lock = nil
	if refused != nil && !errors.Is(refused, fs.ErrNotExist) {
		err = errors.Join(err, r.fs.Remove(path))
	}
	return err
}

// hasSpace refuses what would take the disk below its floor.
func (r *receiver) hasSpace(bytes uint64) error {
	if r.space == nil {
		return nil
	}
	return r.space.space.Load().forBackup(r.dir, bytes)
}

// compare compares what was received with the summary.
func (r *receiver) compare() error {
	decoder := json.NewDecoder(bytes.NewReader(r.text))
	if err := decoder.Decode(&r.summary); err != nil {
		return &StreamError{"its summary cannot be read", err}
	}
	switch {
	case r.summary.Version != summaryVersion:
		return &StreamError{
			fmt.Sprintf("its summary has version %d, and this program knows version %d: use the emulator's own program",
				r.summary.Version, summaryVersion), nil}
	case !slices.Equal(r.got, r.summary.Files), r.bytes != r.expected:
		return &StreamError{"the received data differs from its summary", nil}
	}
	return nil
}

// examine checks the folder as [Check] does, if its root key is known.
func (r *receiver) examine() (*Report, error) {
	if r.summary.RootKey == keyElsewhere && r.rootKey == "" {
		return nil, nil
	}
	m, err := r.markerOf(r.format)
	if err != nil {
		return nil, err
	}
	p, err := newCheckedFolder(r.folder, m)
	if err != nil {
		return nil, err
	}
	if err := p.examine(); err != nil {
		return nil, err
	}
	for _, f := range p.report.Findings {
		if !f.Note {
			return nil, &StreamError{"its data folder is damaged: " + f.String() +
				"; stop the emulator and run: tabletop doctor DIR", nil}
		}
	}
	return &p.report, nil
}

// complete makes the partial folder a data folder and renames it.
func (r *receiver) complete() error {
	err := errors.Join(syncFolder(r.fs, r.data()), syncFolder(r.fs, r.folder.dir))
	if err == nil {
		err = writeWhole(r.fs, filepath.Join(r.folder.dir, markerTemp), filepath.Join(r.folder.dir, markerName), r.format)
	}
	if err == nil {
		err = r.unlock() // Windows renames no folder with an open file; another backup refuses one with a marker
	}
	if err == nil {
		err = os.ErrExist
		if _, there := r.fs.Stat(r.dir); errors.Is(there, fs.ErrNotExist) {
			err = r.fs.Rename(r.folder.dir, r.dir)
		}
	}
	if err == nil {
		err = syncFolder(r.fs, filepath.Dir(r.dir))
	}
	if err != nil {
		return inaccessible(r.dir, err)
	}
	return nil
}
