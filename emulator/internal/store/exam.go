package store

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Finding is one problem of a data folder.
type Finding struct {
	File    string // relative to the folder
	Problem string // such as "is missing"
	// Affected are the keys from From up to To; both are nil if it is not known which, or if all are.
	From, To []byte
	// Holds names what has keys from From to To, as [Names] has it.
	Holds []string
	// Note marks harmless remains of a crash.
	Note bool

	tail bool // the end of the log is lost; what is before it can be used
}

// String returns the finding as one line.
func (f Finding) String() string {
	text := f.File + " " + f.Problem
	if len(f.Holds) > 0 {
		text += ", which may affect " + listed(f.Holds)
	}
	if f.From == nil && f.To == nil {
		return text
	}
	return fmt.Sprintf("%s (keys from %x to %x)", text, f.From, f.To)
}

// examination is the result of checking a folder before its database is opened. Nothing is written during it.
type examination struct {
	record   *integrityRecord // nil: none, as in formats 1 and 2
	spare    int              // the slot of the record to overwrite next
	manifest fileID           // the current one
	head     manifestHead
	sound    bool // the manifest is as recorded, and head was read from it
	findings []Finding
}

func (e *examination) addFinding(file, problem string, args ...any) {
	e.findings = append(e.findings, Finding{File: file, Problem: fmt.Sprintf(problem, args...)})
}

// damage returns the first finding that is not a note, or nil.
func (e *examination) damage() *Finding {
	if i := slices.IndexFunc(e.findings, func(f Finding) bool { return !f.Note }); i >= 0 {
		return &e.findings[i]
	}
	return nil
}

// examine compares the folder with its integrity record: the manifest that the database names, and the logs that it
// needs. Sorted tables are left to Pebble, whose manifest has their names and sizes and whose blocks have checksums.
func (f *folder) examine(m *marker) (*examination, error) {
	e := &examination{}
	if m.hasRecord() {
		if err := f.examineRecord(e, m); err != nil || e.record != nil && e.record.state == stateCreating {
			return e, err
		}
	}
	id, ok, err := currentManifest(f.fs, f.data())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.addFinding(dataDir, "is missing")
		return e, nil
	case err != nil:
		return e, err
	case !ok:
		e.addFinding(dataDir, "has no manifest marker: the database in it is gone, or parts of it are")
		return e, nil
	}
	e.manifest = id
	if err := f.examineManifest(e, m); err != nil || e.damage() != nil {
		return e, err
	}
	return e, errors.Join(f.examineLogs(e), f.examineOptions(e, m))
}

// examineRecord reads the integrity record.
func (f *folder) examineRecord(e *examination, m *marker) error {
	record, spare, damaged, err := readIntegrity(f.fs, f.dir, m.key)
	e.record, e.spare = record, spare
	switch {
	case err != nil && !f.findUnread:
		return err
	case err != nil:
		e.findings = append(e.findings, Finding{File: integrityName, tail: true,
			Problem: unreadable(err) + ", so it cannot be told whether writes are lost"})
	case record == nil:
		e.findings = append(e.findings, Finding{File: integrityName, tail: true,
			Problem: "is missing or damaged, so it cannot be told whether writes are lost"})
	case damaged > 0:
		e.findings = append(e.findings, Finding{File: integrityName, Note: true,
			Problem: fmt.Sprintf("has %d of %d copies of its record damaged, as after a power cut", damaged, slots)})
	}
	return nil
}

// examineManifest checks and reads the current manifest.
func (f *folder) examineManifest(e *examination, m *marker) error {
	name := e.manifest.String()
	if e.record != nil {
		known := e.record.find(e.manifest)
		if known == nil {
			e.addFinding(filepath.Join(dataDir, name),
				"is named as the manifest, and was not when the database was last written to")
			return nil
		}
		problem, err := f.compare(known, e.record.state == stateClean)
		if err != nil {
			return err
		}
		if problem != "" {
			e.addFinding(filepath.Join(dataDir, name), "%s", problem)
			return nil
		}
	}
	files, err := f.decrypted(f.fs, m.key)
	if err != nil {
		return err
	}
	if e.head, err = readManifest(files, f.data(), e.manifest); err != nil {
		e.addFinding(filepath.Join(dataDir, name), "cannot be read: %v", err)
	}
	e.sound = err == nil
	return nil
}

// examineLogs checks each log that the database needs.
func (f *folder) examineLogs(e *examination) error {
	if e.record == nil {
		return nil
	}
	clean := e.record.state == stateClean
	for i := range e.record.files {
		known := &e.record.files[i]
		if known.id.manifest || known.id.number < e.head.minLog {
			continue
		}
		problem, err := f.compare(known, clean)
		if err != nil {
			return err
		}
		if problem != "" {
			e.findings = append(e.findings, Finding{File: filepath.Join(dataDir, known.id.String()),
				Problem: problem, tail: true})
		}
	}
	logs, err := f.logs(e.head.minLog)
	for _, id := range logs {
		if clean && e.record.find(id) == nil {
			e.addFinding(filepath.Join(dataDir, id.String()), "appeared after the folder was closed")
		}
	}
	return err
}

// logs returns the logs with at least that number, in order.
func (f *folder) logs(from uint64) ([]fileID, error) {
	names, err := f.fs.List(f.data())
	if err != nil {
		return nil, err
	}
	var logs []fileID
	for _, name := range names {
		if id, ok := parseFileID(name); ok && !id.manifest && id.number >= from {
			logs = append(logs, id)
		}
	}
	slices.SortFunc(logs, func(a, b fileID) int { return int(a.number) - int(b.number) })
	return logs, nil
}

// compare reads a file and returns how it differs from its record, or an empty string.
func (f *folder) compare(known *fileRecord, exact bool) (problem string, err error) {
	path := filepath.Join(f.data(), known.id.String())
	sum, size, err := sumOf(f.fs, path, known.length)
	if err == nil && exact && size > known.length && !known.id.manifest {
		size, err = f.endOfLog(path, known.length)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "is missing", nil
	case err != nil && f.findUnread:
		return unreadable(err), nil
	case err != nil:
		return "", err
	case size < known.length:
		return fmt.Sprintf("has %d of the %d bytes that were written to it", size, known.length), nil
	case sum != known.sum:
		return "was changed after it was written", nil
	case exact && size > known.length:
		return fmt.Sprintf("has %d bytes more than when the folder was closed", size-known.length), nil
	}
	return "", nil
}

// unreadable returns the problem of a file that the disk does not read.
func unreadable(err error) string { return "cannot be read: " + oneLine(cause(err)).Error() }

// endOfLog returns where a log of at least that length ends. A power cut can leave zeros after it; see writeAhead.
func (f *folder) endOfLog(path string, length int64) (int64, error) {
	file, err := f.fs.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	return zerosFrom(file, length)
}

// sumOf returns the hash of a file's first length bytes, and the file's size.
func sumOf(files vfs.FS, path string, length int64) (sum [sha256.Size]byte, size int64, err error) {
	file, err := files.Open(path, vfs.SequentialReadsOption)
	if err != nil {
		return sum, 0, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return sum, 0, err
	}
	h := sha256.New()
	_, err = io.Copy(h, io.LimitReader(file, length))
	h.Sum(sum[:0])
	return sum, info.Size(), err
}
