package store

import (
	"crypto/sha256"
	"hash"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// integrityFS is the file system below a database's encryption. It sees the bytes of each manifest and log as they are
// written to disk, and records how many of them are on stable storage, and their hash.
type integrityFS struct {
	vfs.FS
	data   string // the folder whose files are recorded
	record *integrityFile
	ahead  bool // zeros are written after the ends of logs: a reader sees them, as nothing is encrypted
}

// tracked returns the id of a file whose content is recorded.
func (fs *integrityFS) tracked(name string) (fileID, bool) {
	if fs.FS.PathDir(name) != fs.data {
		return fileID{}, false
	}
	return parseFileID(fs.FS.PathBase(name))
}

// Create implements vfs.FS.
func (fs *integrityFS) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := fs.FS.Create(name, category)
	id, ok := fs.tracked(name)
	if err != nil || !ok {
		return f, err
	}
	return &trackedFile{File: f, record: fs.record, id: id, sum: sha256.New(), ahead: fs.ahead && !id.manifest}, nil
}

// Remove implements vfs.FS. The file is removed from the record first, so that its absence is not a loss.
func (fs *integrityFS) Remove(name string) error {
	if id, ok := fs.tracked(name); ok {
		if err := fs.record.forget(id); err != nil {
			return err
		}
	}
	return fs.FS.Remove(name)
}

// ReuseForWrite implements vfs.FS with a new file: a file's hash is over everything that was written to it, from its
// start.
func (fs *integrityFS) ReuseForWrite(oldname, newname string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if err := fs.Remove(oldname); err != nil {
		return nil, err
	}
	return fs.Create(newname, category)
}

// Unwrap implements vfs.FS.
func (fs *integrityFS) Unwrap() vfs.FS { return fs.FS }

// trackedFile is a manifest or log that is being written. Pebble does not call Write and Sync concurrently.
type trackedFile struct {
	vfs.File
	record  *integrityFile
	id      fileID
	sum     hash.Hash
	written int64
	broken  bool  // a write failed: the rest is not recorded
	known   bool  // it is in the record
	ahead   bool  // zeros are written after its end
	end     int64 // of the file, with its zeros, when the last ones were written
}

// Write implements vfs.File.
func (f *trackedFile) Write(p []byte) (int, error) {
	f.sum.Write(p) // before the file, which may change p
	n, err := f.File.Write(p)
	f.written += int64(n)
	f.broken = f.broken || err != nil || n < len(p)
	f.writeAhead()
	return n, err
}

// Sync implements vfs.File.
func (f *trackedFile) Sync() error {
	if err := f.File.Sync(); err != nil {
		return err
	}
	return f.synced()
}

// SyncData implements vfs.File.
func (f *trackedFile) SyncData() error {
	if err := f.File.SyncData(); err != nil {
		return err
	}
	return f.synced()
}

// synced records what has been written. A manifest is recorded on stable storage before the database names it.
func (f *trackedFile) synced() error {
	if f.broken {
		return nil
	}
	r := fileRecord{id: f.id, length: f.written}
	f.sum.Sum(r.sum[:0])
	if f.id.manifest && !f.known {
		f.known = true
		return f.record.advanceDurably(r)
	}
	return f.record.advance(r)
}
