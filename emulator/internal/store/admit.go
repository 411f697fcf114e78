package store

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// admit decides whether the database of a folder may be opened for writing. It refuses a folder with missing or changed
// files before anything is written. A mere loss of writes may be accepted, and a folder of formats 1 and 2 gets an
// integrity record.
func (f *folder) admit(m *marker) (*examination, error) {
	e, err := f.examine(m)
	if err != nil {
		return nil, inaccessible(f.dir, err)
	}
	if e.record != nil && e.record.state == stateCreating {
		return e, nil
	}
	damage := e.damage()
	if damage != nil && (!damage.tail || !f.acceptLoss) {
		return nil, damaged(f.dir, *damage)
	}
	if damage == nil && e.record != nil && e.record.state == stateOpen {
		f.logDropped(e, m)
	}
	if damage != nil {
		if err := f.acceptLostTail(e, m); err != nil {
			return nil, err
		}
	}
	if err := f.tryOpen(m); err != nil {
		return nil, err
	}
	if err := f.removeHidden(); err != nil {
		return nil, inaccessible(f.dir, err)
	}
	if e.record == nil {
		return e, f.makeRecord(e, m)
	}
	if damage == nil && e.record.state == stateOpen {
		return e, f.extendRecord(e)
	}
	return e, nil
}

// extendRecord extends the record by what the last process, which was not closed properly, wrote beyond it. The
// database may continue the existing manifest; closed properly, that would be longer than recorded.
func (f *folder) extendRecord(e *examination) error {
	record, err := f.recordOf(e, e.record.epoch)
	if err != nil {
		return inaccessible(f.dir, err)
	}
	record.sequence = e.record.sequence
	e.record = record
	return nil
}

// damaged returns the error that refuses a folder because of a finding.
func damaged(dir string, finding Finding) error {
	if finding.tail {
		return &OpenError{dir, "has lost acknowledged writes: " + finding.String(),
			"restore it from a backup, or continue without them with --accept-loss; for details: tabletop doctor " + dir, nil}
	}
	return &OpenError{dir, "is damaged: " + finding.String(), salvageRemedy(dir), nil}
}

// tryOpen opens the database for reading and changes nothing: it reads the manifest, checks that the tables exist,
// replays the logs in memory and reads the first key. Otherwise a problem there would be found only after writing
// began.
func (f *folder) tryOpen(m *marker) error {
	db, err := openForReading(f, m, false)
	if err != nil {
		return unopenable(f.dir, err)
	}
	_, err = isEmpty(db)
	if err = errors.Join(err, db.Close()); err != nil {
		return unopenable(f.dir, err)
	}
	return nil
}

// openForReading opens the folder's database and changes nothing. Anything that Pebble does not expect is an error,
// except, if lenient is true, tables that are missing or too short.
func openForReading(f *folder, m *marker, lenient bool) (db *pebble.DB, err error) {
	files, err := f.decrypted(hidingFS{readOnlyFS{f.fs}, f.hidden}, m.key)
	if err != nil {
		return nil, err
	}
	c := newCondition(slog.New(slog.DiscardHandler))
	opts := diskSettings(c, nil, func() bool { return false }, files, blockCache)
	opts.ReadOnly = true
	opts.ErrorIfNotExists = true
	opts.DisableConsistencyCheck = lenient
	err = errors.New("it cannot be read") // remains if the goroutine does not reach its end
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if problem := recover(); problem != nil {
				err = fmt.Errorf("%v", problem)
			}
		}()
		db, err = openDatabase(f.data(), opts)
	}()
	<-done
	if failure := c.err(); db == nil && failure != nil {
		err = failure
	}
	return db, err
}

// makeRecord creates the first record of a folder of formats 1 and 2, or of one that has lost its record, from what is
// there.
func (f *folder) makeRecord(e *examination, m *marker) error {
	epoch := uint64(0)
	if m.hasRecord() {
		epoch = 1 // there was a record
	}
	record, err := f.recordOf(e, epoch)
	if err == nil {
		err = createIntegrity(f.fs, f.dir, m.key, *record)
	}
	if err != nil {
		return inaccessible(f.dir, err)
	}
	e.record = record
	return nil
}

// upgrade makes a folder of an older format, which was admitted, one of the newest. The marker says that there is a
// record, and is written after it: after a crash the folder is still one of the older format, with the same data.
func (f *folder) upgrade(m *marker) error {
	if m.version == formatVersion {
		return nil
	}
	f.logger.Info("the data folder is upgraded: older programs can no longer open it",
		"folder", f.dir, "from", m.version, "to", formatVersion)
	if !m.hasRecord() {
		m.identity = newIdentity()
	}
	m.version = formatVersion
	if err := m.write(f.fs, f.dir); err != nil {
		return inaccessible(f.dir, err)
	}
	return nil
}

// recordOf records the manifest and the logs as they are. The files and their names are synced first: a process that
// was killed may not have done so, and a record must never be ahead of the data.
func (f *folder) recordOf(e *examination, epoch uint64) (*integrityRecord, error) {
	if err := syncFolder(f.fs, f.data()); err != nil {
		return nil, err
	}
	logs, err := f.logs(e.head.minLog)
	if err != nil {
		return nil, err
	}
	r := &integrityRecord{state: stateOpen, epoch: epoch, sequence: 1}
	for _, id := range append(logs, e.manifest) {
		path := filepath.Join(f.data(), id.String())
		if err := syncFile(f.fs, path); err != nil {
			return nil, err
		}
		info, err := f.fs.Stat(path)
		if err != nil {
			return nil, err
		}
		known := fileRecord{id: id, length: info.Size()}
		if known.sum, _, err = sumOf(f.fs, path, known.length); err != nil {
			return nil, err
		}
		r.set(known)
	}
	return r, nil
}

// syncFile syncs what any process has written to a file.
func syncFile(files vfs.FS, path string) error {
	f, err := files.OpenReadWrite(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// acceptLostTail moves the logs that cannot be used aside and keeps their readable start.
func (f *folder) acceptLostTail(e *examination, m *marker) error {
	var lost []fileID
	var first *fileRecord
	for i := range e.findings {
		if e.findings[i].tail && e.findings[i].File != integrityName {
			id, _ := parseFileID(filepath.Base(e.findings[i].File))
			if first == nil || id.number < first.id.number {
				first = e.record.find(id)
			}
		}
	}
	if first == nil {
		f.logger.Warn(
			"the data folder has lost its integrity record: it cannot be told whether writes are lost; a new record begins",
			"folder", f.dir)
		return nil
	}
	lost, err := f.logs(first.id.number)
	if err != nil {
		return inaccessible(f.dir, err)
	}
	aside, err := f.copyAside(lost)
	if err != nil {
		return inaccessible(f.dir, err)
	}
	kept, err := f.cut(first.id, lost, m)
	if err != nil {
		return inaccessible(f.dir, err)
	}
	gone := first.length - kept
	for _, later := range e.record.files {
		if !later.id.manifest && later.id.number > first.id.number {
			gone += later.length
		}
	}
	f.logger.Warn("acknowledged writes are lost, as accepted", "folder", f.dir, "first", first.id.String(),
		"bytes kept of it", kept,
		"bytes of the log lost", gone, "damaged files", aside)
	record, err := f.recordOf(e, e.record.epoch+1)
	if err == nil {
		record.sequence = e.record.sequence
		err = createIntegrity(f.fs, f.dir, m.key, *record)
	}
	if err != nil {
		return inaccessible(f.dir, err)
	}
	record.sequence++
	e.record = record
	return nil
}

// copyAside copies files into a new folder beside the data.
func (f *folder) copyAside(files []fileID) (aside string, err error) {
	for n := 1; ; n++ {
		aside = filepath.Join(f.dir, fmt.Sprintf("lost-%d", n))
		if _, err := f.fs.Stat(aside); errors.Is(err, os.ErrNotExist) {
			break
		}
	}
	if err := f.fs.MkdirAll(aside, 0o755); err != nil {
		return "", err
	}
	for _, id := range files {
		from := filepath.Join(f.data(), id.String())
		if err := copySynced(f.fs, from, f.fs, filepath.Join(aside, id.String()), -1); err != nil {
			return "", err
		}
	}
	return aside, errors.Join(syncFolder(f.fs, aside), syncFolder(f.fs, f.dir))
}

// cut truncates the first log to what can be read of it, and removes the later ones, because what they hold was based
// on what is lost. It returns how many bytes of the first log it kept.
func (f *folder) cut(first fileID, all []fileID, m *marker) (kept int64, err error) {
	files, err := f.decrypted(f.fs, m.key)
	if err != nil {
		return 0, err
	}
	for i := len(all) - 1; i >= 0; i-- {
		path := filepath.Join(f.data(), all[i].String())
		if all[i] == first {
			end, _ := readLog(files, f.data(), first)
			if kept = end.offset + headerLength(m.key); end.batches > 0 {
				temp := path + ".new"
				if err := copySynced(f.fs, path, f.fs, temp, kept); err != nil {
					return 0, err
				}
				err = f.fs.Rename(temp, path)
			} else {
				kept, err = 0, f.fs.Remove(path)
			}
		} else {
			err = f.fs.Remove(path)
		}
		if err != nil {
			return 0, err
		}
	}
	return kept, syncFolder(f.fs, f.data())
}

// headerLength returns the number of bytes on disk before a file's content.
func headerLength(key []byte) int64 {
	if key == nil {
		return 0
	}
	return cipherHeader
}

// copySynced copies the first limit bytes of a file, or all if limit is negative, to stable storage.
func copySynced(from vfs.FS, source string, to vfs.FS, target string, limit int64) error {
	in, err := from.Open(source, vfs.SequentialReadsOption)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := to.Create(target, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	_, err = copyLimited(out, in, limit)
	return errors.Join(err, out.Sync(), out.Close())
}
