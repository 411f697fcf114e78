package store

import (
	"bytes"
	"errors"
	"hash"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// integrityName is the file of the folder that holds its integrity record.
const integrityName = "INTEGRITY"

// The record has three slots. What must survive a power cut is written to slots 0 and 1 alternately and synced, so that
// the other one is valid while one is torn. What follows each commit is written to slot 2 without a sync: after kill -9
// it is exact, and if a power cut tears it, an older record remains. Each is written after what it records is on stable
// storage, so no record is ever ahead of the data.
const (
	slots       = 3
	unsynced    = 2
	recordBytes = slots * slotSize
)

// integrityFile keeps a folder's integrity record. Its methods are safe for concurrent use.
type integrityFile struct {
	file vfs.File

	syncing sync.Mutex // held during a synced write; taken before mu
	spare   int        // the slot of the next synced write

	mu     sync.Mutex
	mac    hash.Hash
	record integrityRecord
	buf    []byte
	err    error // of a failed write, after which nothing may be acknowledged
}

// createIntegrity creates the file with its first record, on stable storage, and replaces an existing one.
func createIntegrity(files vfs.FS, dir string, key []byte, first integrityRecord) error {
	path := filepath.Join(dir, integrityName)
	return writeWhole(files, path+".new", path, integrityContent(key, first))
}

// integrityContent returns the whole file with its first record.
func integrityContent(key []byte, first integrityRecord) []byte {
	first.sequence++
	mac := newRecordMAC(key)
	content := make([]byte, 0, recordBytes)
	for slot := range slots {
		content = append(first.encode(content, mac), make([]byte, slotSize)...)[:(slot+1)*slotSize]
	}
	return content
}

// readIntegrity returns the newest record, or nil if none can be trusted; the synced slot that may be overwritten; and
// the number of slots without a valid record.
func readIntegrity(files vfs.FS, dir string, key []byte) (newest *integrityRecord, spare, damaged int, err error) {
	content, err := readFile(files, filepath.Join(dir, integrityName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, 0, slots, err
	}
	var synced [slots]uint64
	mac := newRecordMAC(key)
	for i := range slots {
		r, ok := decodeRecord(content[min(i*slotSize, len(content)):min((i+1)*slotSize, len(content))], mac)
		if !ok {
			damaged++
			continue
		}
		synced[i] = r.sequence
		if newest == nil || r.sequence > newest.sequence {
			newest = r
		}
	}
	if synced[0] > synced[1] {
		spare = 1
	}
	return newest, spare, damaged, nil
}

// openIntegrity opens the file for writing and continues from the exam, in stateOpen unless the database is being
// created.
func openIntegrity(files vfs.FS, dir string, key []byte, e *examination) (*integrityFile, error) {
	file, err := files.OpenReadWrite(filepath.Join(dir, integrityName), vfs.WriteCategoryUnspecified)
	if err != nil {
		return nil, err
	}
	f := &integrityFile{file: file, mac: newRecordMAC(key), record: *e.record, spare: e.spare}
	if e.record.state != stateCreating {
		err = f.mark(stateOpen)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return f, nil
}

// copy returns the current record.
func (f *integrityFile) copy() integrityRecord {
	f.mu.Lock()
	defer f.mu.Unlock()
	r := f.record
	r.files = slices.Clone(r.files)
	return r
}

// advance records how much of a file is on stable storage. It runs for each commit.
func (f *integrityFile) advance(r fileRecord) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.record.set(r)
	return f.write(unsynced)
}

// advanceDurably is advance, on stable storage, for a file that others may refer to from now on.
func (f *integrityFile) advanceDurably(r fileRecord) error {
	return f.change(func() { f.record.set(r) })
}

// forget records, on stable storage, that a file is no longer needed and may be removed.
func (f *integrityFile) forget(id fileID) error {
	return f.change(func() { f.record.remove(id) })
}

// mark records the folder's state, on stable storage and in both synced slots, since either may be damaged later.
func (f *integrityFile) mark(state recordState) error {
	for range slots - 1 {
		if err := f.change(func() { f.record.state = state }); err != nil {
			return err
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.write(unsynced); err != nil {
		return err
	}
	return f.file.SyncData()
}

// change changes the record and syncs it. Commits continue during it, to the unsynced slot.
func (f *integrityFile) change(fn func()) error {
	f.syncing.Lock()
	defer f.syncing.Unlock()
	f.mu.Lock()
	fn()
	err := f.write(f.spare)
	f.mu.Unlock()
	if err == nil {
		err = f.file.SyncData()
	}
	f.spare = 1 - f.spare
	return err
}

// write writes the record to a slot. mu must be held.
func (f *integrityFile) write(slot int) error {
	if f.err != nil {
		return f.err
	}
	f.record.sequence++
	f.buf = f.record.encode(f.buf[:0], f.mac)
	_, f.err = f.file.WriteAt(f.buf, int64(slot)*slotSize)
	return f.err
}

// closePoll is how often close looks whether the last operations have ended.
const closePoll = 10 * time.Millisecond

// close closes the file. If everything that was written is on stable storage, it records stateClean first.
func (f *integrityFile) close(clean bool) error {
	var err error
	if clean {
		err = f.mark(stateClean)
	}
	for _, mu := range []*sync.Mutex{&f.syncing, &f.mu} {
		for !mu.TryLock() { // an abandoned operation has it until the disk answers
			time.Sleep(closePoll)
		}
		defer mu.Unlock()
	}
	if f.err == nil {
		f.err = fs.ErrClosed // for an abandoned operation that the disk completes later
	}
	return errors.Join(err, f.file.Close())
}

func readFile(files vfs.FS, path string) ([]byte, error) {
	f, err := files.Open(path)
	if err != nil {
		return nil, err
	}
	var content bytes.Buffer
	_, err = io.Copy(&content, f)
	return content.Bytes(), errors.Join(err, f.Close())
}
