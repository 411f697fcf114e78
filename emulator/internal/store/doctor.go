package store

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// Report is what [Check] found in a folder.
type Report struct {
	Format   int // of the folder
	Epoch    uint64
	Tables   int   // sorted tables that were read, each of their blocks
	Logs     int   // logs that were read
	Entries  int64 // keys that the database holds, up to the first that cannot be read; 0 where it cannot be opened
	Opened   int64 // values among them that are sealed by a key of their own, and were opened
	Sealed   int64 // values that are sealed by a key which may not be used, and were not opened
	Findings []Finding
}

// Damaged reports whether a finding is more than a note.
func (r *Report) Damaged() bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return !f.Note })
}

// Check examines a folder that no store is open on, to the last block, and changes nothing in it. What is wrong with
// the folder is in the report; the error, an [*OpenError], is of a folder that cannot be examined at all. Of opts it
// reads Dir, RootKey, Disk and Survey.
func Check(opts Options) (*Report, error) {
	p, err := openPatient(opts)
	if err != nil {
		return nil, err
	}
	defer p.close()
	if err := p.examine(); err != nil {
		return nil, err
	}
	return &p.report, nil
}

// patient is a folder under examination.
type patient struct {
	*folder
	marker *marker
	files  vfs.FS // decrypts
	lock   *pebble.Lock
	exam   *exam
	report Report
	names  *Names      // of what lies in the folder; nil while they are not known
	live   []liveTable // that the manifest names; nil where it cannot be read
}

// liveTable is a sorted table of the database and the keys that it has.
type liveTable struct {
	number uint64
	keyRange
}

func openPatient(opts Options) (*patient, error) {
	f := newFolder(opts, slog.New(slog.DiscardHandler))
	m, err := f.readMarker()
	if err != nil {
		return nil, err
	}
	if m == nil {
		return nil, &OpenError{f.dir, "has no FORMAT file", "name a data folder; of an incomplete backup, take it again", nil}
	}
	p, err := newPatient(f, m)
	if err != nil {
		return nil, err
	}
	return p, p.lockExisting()
}

// newPatient examines a folder by a marker that was read.
func newPatient(f *folder, m *marker) (*patient, error) {
	files, err := f.decrypted(readOnlyFS{f.fs}, m.key)
	if err != nil {
		return nil, err
	}
	return &patient{folder: f, marker: m, files: files, report: Report{Format: m.version}}, nil
}

// inUse is the problem of a folder that is locked.
const inUse = "is in use by an emulator"

// lockExisting takes the lock where there is one to take: it is not made.
func (p *patient) lockExisting() error {
	if _, err := p.fs.Stat(filepath.Join(p.data(), "LOCK")); err != nil {
		return nil
	}
	lock, err := pebble.LockDirectory(p.data(), p.fs)
	if err == nil || errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission) {
		p.lock = lock
		return nil
	}
	return &OpenError{p.dir, inUse, "stop that one first", err}
}

func (p *patient) close() {
	if p.lock != nil {
		_ = p.lock.Close()
	}
}

func (p *patient) examine() error {
	e, err := p.folder.examine(p.marker)
	if err != nil {
		return inaccessible(p.dir, err)
	}
	p.exam = e
	p.report.Findings = e.findings
	if e.record != nil {
		p.report.Epoch = e.record.epoch
	}
	if e.record != nil && e.record.state == stateCreating {
		return nil
	}
	p.examineDatabase()
	p.examineTables()
	return p.examineTornLogs()
}

func (p *patient) found(f Finding) {
	p.report.Findings = append(p.report.Findings, p.named(f))
}

// named is a finding with the names of what it affects.
func (p *patient) named(f Finding) Finding {
	if p.names != nil && (f.From != nil || f.To != nil) {
		f.Holds = p.names.In(f.From, f.To)
	}
	return f
}

// examineDatabase opens the database for reading, learns its tables and reads all keys and values.
func (p *patient) examineDatabase() {
	if slices.ContainsFunc(p.report.Findings, func(f Finding) bool { return !f.Note && !f.tail }) {
		return // Pebble takes a damaged manifest for a shorter one
	}
	db, err := openForReading(p.folder, p.marker, true)
	if err != nil {
		if !p.report.Damaged() {
			p.found(Finding{File: dataDir, Problem: "cannot be opened: " + oneLine(err).Error()})
		}
		return
	}
	defer db.Close()
	if p.live, err = liveTables(db); err != nil {
		p.found(Finding{File: dataDir, Problem: oneLine(err).Error()})
		return
	}
	p.examineEntries(db)
}

// examineTables verifies each block of each table.
func (p *patient) examineTables() {
	for _, t := range p.tables() {
		name := filepath.Join(dataDir, tableName(t.number))
		r, err := openTable(p.files, p.data(), t.number)
		if err != nil {
			p.found(Finding{File: name, Problem: "cannot be read: " + oneLine(err).Error(), From: t.from, To: t.to})
			continue
		}
		p.report.Tables++
		err = r.ValidateBlockChecksums()
		if err != nil {
			p.damagedTable(name, t, r, err)
		}
		_ = r.Close()
	}
}

// damagedTable says which keys of a table are affected.
func (p *patient) damagedTable(name string, t liveTable, r *sstable.Reader, damage error) {
	gaps, _ := readTable(r, func(version) error { return nil })
	if len(gaps) == 0 || len(gaps) == 1 && gaps[0].to == nil {
		gaps = []keyRange{t.keyRange}
	}
	for _, gap := range gaps {
		p.found(Finding{File: name, Problem: "has a damaged block: " + oneLine(damage).Error(), From: gap.from, To: gap.to})
	}
}

// tables are those of the database, or, where its manifest cannot be read, all that lie in the folder.
func (p *patient) tables() []liveTable {
	if p.live != nil {
		return p.live
	}
	names, _ := p.fs.List(p.data())
	var all []liveTable
	for _, name := range names {
		if digits, ok := strings.CutSuffix(name, ".sst"); ok {
			if n, err := strconv.ParseUint(digits, 10, 64); err == nil {
				all = append(all, liveTable{number: n})
			}
		}
	}
	return all
}

// examineTornLogs reads the logs that are needed. Those that do not end as they should have been found already, by
// their hash, unless nobody was told of what is missing.
func (p *patient) examineTornLogs() error {
	logs, err := p.logs(p.exam.head.minLog)
	if err != nil {
		return nil // the folder of the data is missing, which is a finding
	}
	for _, id := range logs {
		end, err := readLog(p.files, p.data(), id)
		name := filepath.Join(dataDir, id.String())
		known := slices.ContainsFunc(p.report.Findings, func(f Finding) bool { return f.File == name })
		switch {
		case err != nil && !known:
			p.found(Finding{File: name, Problem: "cannot be read: " + oneLine(err).Error()})
		case err == nil:
			p.report.Logs++
			if end.torn && !known {
				p.found(Finding{File: name, Note: true, Problem: fmt.Sprintf(
					"ends with %d bytes of a write that was not acknowledged", end.size-end.offset)})
			}
		}
	}
	return nil
}
