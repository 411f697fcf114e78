package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/cockroachdb/pebble/v2"
)

// checkpointDir is the subfolder in which a backup of an open store is prepared. It has no marker, so it is not a data
// folder itself.
const checkpointDir = "backup.tmp"

// Reasons why no backup can be taken now.
var (
	ErrBackupRunning = errors.New("another backup is running: try again when it has finished")
	ErrInMemory      = errors.New("the data is in memory and cannot be backed up: start the emulator with --data")
	errBackupEnded   = errors.New("the client of the backup has disconnected")
)

// Backup is a copy of an open store's folder as of one moment. It holds no lock. On disk it takes the size of the logs
// and the manifest, and of the tables that have been compacted since.
type Backup struct {
	store *Store
	taken time.Time
	files []backupFile
	size  int64
}

// backupFile is a file of the folder that a backup makes.
type backupFile struct {
	name    string // relative to the folder, with slashes
	path    string // of its content; empty: the content is in content
	content []byte
	size    int64 // bytes; of a log that was being written to, up to the end of its last complete batch
}

// BeginBackup prepares a copy of the folder with every update that was acknowledged before, and none in part. Updates
// continue during the preparation, which ends early if ctx is done. The caller must Close the backup. Errors:
// ErrInMemory, ErrBackupRunning, ErrClosed, a [*SpaceError] if the copy would need space that must stay free, the
// store's [*Failure], or a failed write of the copy, which does not affect the store.
func (s *Store) BeginBackup(ctx context.Context) (*Backup, error) {
	if !s.durable {
		return nil, ErrInMemory
	}
	if !s.ops.enter() {
		return nil, ErrClosed
	}
	if !s.backingUp.CompareAndSwap(false, true) {
		s.ops.leave()
		return nil, ErrBackupRunning
	}
	s.checkpoints.disk = &deadlineFS{FS: s.folder.disk, reads: s.guard.copies}
	b := &Backup{store: s, taken: time.Now().UTC()}
	prepared := false
	defer func() { // also when Pebble panics
		if !prepared {
			b.Close()
		}
	}()
	if err := b.prepare(ctx); err != nil {
		return nil, s.backupError(err)
	}
	prepared = true
	return b, nil
}

// Size returns the size of the copy's files in bytes.
func (b *Backup) Size() int64 { return b.size }

// Close removes the checkpoint and lets the next backup begin.
func (b *Backup) Close() {
	s := b.store
	defer s.ops.leave()
	defer s.backingUp.Store(false)
	if err := s.checkpoints.disk.RemoveAll(s.checkpoints.dir); err != nil {
		s.condition.logger.Warn("what a backup left cannot be removed; the next backup or start tries again", "folder",
			s.checkpoints.dir, "error", err)
	}
}

// backupError returns the error for a backup that cannot be taken. The store's own failure takes precedence.
func (s *Store) backupError(err error) error {
	if failure := s.condition.err(); failure != nil {
		return failure
	}
	var full *SpaceError
	if errors.As(err, &full) || errors.Is(err, errBackupEnded) {
		return err
	}
	var refusal *OpenError
	if errors.As(err, &refusal) {
		return refusal
	}
	var unread *ReadError
	if errors.As(err, &unread) { // it says what to do
		return fmt.Errorf("no backup can be taken of %s: %w", s.folder.dir, unread)
	}
	return fmt.Errorf("no backup can be taken of %s (%w): %s", s.folder.dir, oneLine(cause(err)),
		diskRemedy(err)+", then try again")
}

// prepare makes the checkpoint and lists the files of the copy.
func (b *Backup) prepare(ctx context.Context) error {
	s := b.store
	if err := s.checkWritable(); err != nil {
		return err
	}
	if s.guard.copies.stuck.Load() > 0 { // an operation of an earlier backup, which could remove files of this one
		return errNotAnswered
	}
	if err := s.hasSpaceForBackup(); err != nil {
		return err
	}
	if err := s.checkpoints.begin(); err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { s.checkpoints.ended.Store(true) })()
	if err := pebbleOf(s).LogData(nil, pebble.Sync); err != nil {
		return err
	}
	synced := s.record.copy()
	if err := pebbleOf(s).Checkpoint(b.data()); err != nil {
		return err
	}
	if err := s.condition.err(); err != nil { // Pebble does not see it
		return err
	}
	return b.list(synced)
}

// data returns the folder of the copied database.
func (b *Backup) data() string { return filepath.Join(b.store.checkpoints.dir, dataDir) }

// list lists the files of the copy in the order in which they are sent. The marker is last: without it the files are
// not a data folder. synced is how much of the store's own files was on stable storage before they were copied.
func (b *Backup) list(synced integrityRecord) error {
	m := b.store.marker
	copied := &folder{fs: b.store.checkpoints.disk, dir: b.store.checkpoints.dir, logger: b.store.folder.logger}
	names, err := copied.fs.List(copied.data())
	if err != nil {
		return err
	}
	record := integrityRecord{state: stateClean, epoch: synced.epoch}
	for _, name := range names {
		f := backupFile{name: dataDir + "/" + name, path: filepath.Join(copied.data(), name)}
		if err := b.examine(copied, &f, &record); err != nil {
			return err
		}
		b.add(f)
	}
	if err := b.hasSynced(copied, &record, &synced); err != nil {
		return err
	}
	key, err := b.rootKey()
	if err != nil {
		return err
	}
	if key != nil {
		b.addContent(rootKeyName, key)
	}
	b.addContent(integrityName, integrityContent(m.key, record))
	b.addContent(markerName, m.text())
	return nil
}

func (b *Backup) addContent(name string, content []byte) {
	b.add(backupFile{name: name, content: content, size: int64(len(content))})
}

func (b *Backup) add(f backupFile) {
	b.files = append(b.files, f)
	b.size += f.size
}

// examine sets a copied file's length, and adds a manifest or log to the copy's integrity record.
func (b *Backup) examine(copied *folder, f *backupFile, record *integrityRecord) error {
	info, err := copied.fs.Stat(f.path)
	if err != nil {
		return err
	}
	f.size = info.Size()
	if err := b.readsBack(copied, f); err != nil {
		return err
	}
	id, ok := parseFileID(filepath.Base(f.path))
	if !ok {
		return nil
	}
	if !id.manifest {
		if err := b.trim(copied, f, id); err != nil {
			return err
		}
	}
	known := fileRecord{id: id, length: f.size}
	if known.sum, _, err = sumOf(copied.fs, f.path, f.size); err == nil {
		record.set(known)
	}
	return err
}

// readsBack compares a copied file with what was written to it. The file is not synced, and an operating system that
// could not write it out may have dropped it without an error.
func (b *Backup) readsBack(copied *folder, f *backupFile) error {
	written, ok := b.store.checkpoints.recordOf(f.path)
	if !ok {
		return nil
	}
	sum, size, err := sumOf(copied.fs, f.path, written.length)
	if err == nil && (size != written.length || sum != written.sum) {
		err = &ReadError{Path: f.path, Err: errors.New("its content differs from what was written")}
	}
	return err
}

// trim drops from a log that was being written to during the copy what follows its last complete batch, such as zeros.
func (b *Backup) trim(copied *folder, f *backupFile, id fileID) error {
	key := b.store.marker.key
	files, err := copied.decrypted(readOnlyFS{copied.fs}, key)
	if err != nil {
		return err
	}
	end, err := readLog(files, copied.data(), id)
	if err == nil && (end.torn || end.size == end.offset) {
		f.size = min(f.size, end.padded()+headerLength(key))
	}
	return err
}

// hasSynced checks that the copied logs have everything that was synced of the originals. A log that cannot be read up
// to there would otherwise look like one that was being written to.
func (b *Backup) hasSynced(copied *folder, record, synced *integrityRecord) error {
	files, err := copied.decrypted(readOnlyFS{copied.fs}, b.store.marker.key)
	if err != nil {
		return err
	}
	manifest, _, err := currentManifest(copied.fs, copied.data())
	if err != nil {
		return err
	}
	head, err := readManifest(files, copied.data(), manifest)
	if err != nil {
		return err
	}
	for _, original := range synced.files {
		if original.id.manifest || original.id.number < head.minLog {
			continue
		}
		if c := record.find(original.id); c == nil || c.length < original.length {
			return &ReadError{Path: filepath.Join(b.store.folder.data(), original.id.String()),
				Err: errors.New("not all that was synced of it can be read")}
		}
	}
	return nil
}

// rootKey returns the folder's root key if it is in the folder, as for [CopyFolder]; nil if the copy gets none.
func (b *Backup) rootKey() ([]byte, error) {
	s := b.store
	if s.folder.rootKey != "" || s.marker.key == nil {
		return nil, nil
	}
	path := rootKeyPath(s.folder.dir, "")
	root, err := within(s.checkpoints.disk, "read", path, func() ([]byte, error) {
		return readRootKey(s.folder.dir, path)
	})
	if err != nil {
		return nil, err
	}
	if _, err := unwrapFolderKey(root, s.marker.wrapped); err != nil {
		return nil, &OpenError{s.folder.dir, "was opened with another root key than the one now in " + path,
			"restore that key", nil}
	}
	return []byte(keyEncoding.EncodeToString(root) + "\n"), nil
}

// hasSpaceForBackup refuses a backup that would take the disk below its floor with the copies of the manifest, the
// options and the logs. Tables are linked; if they have to be copied, [copyFile] checks the space.
func (s *Store) hasSpaceForBackup() error {
	if s.space == nil {
		return nil
	}
	disk := s.checkpoints.disk
	usage, err := disk.GetDiskUsage(s.folder.dir)
	if errors.Is(err, errNotAnswered) {
		return err
	}
	var space Space
	if err == nil {
		space = s.space.assess(usage, false)
	}
	names, err := disk.List(s.folder.data())
	if err != nil {
		return err
	}
	var needed uint64
	for _, name := range names {
		if isTable(name) {
			continue
		}
		info, err := disk.Stat(filepath.Join(s.folder.data(), name))
		switch {
		case errors.Is(err, os.ErrNotExist): // removed since
		case err != nil:
			return err
		default:
			needed += uint64(info.Size())
		}
	}
	return space.forBackup(s.folder.dir, needed)
}
