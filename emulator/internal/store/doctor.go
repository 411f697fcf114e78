package store

import (
	"cmp"
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

// Report is the result of [Check] for a folder.
type Report struct {
	Format   int // of the folder
	Epoch    uint64
	Tables   int   // sorted tables that were read, block by block
	Logs     int   // logs that were read
	Entries  int64 // keys in the database, up to the first that cannot be read; 0 if the database cannot be opened
	Opened   int64 // values among them that are sealed by a table key and were opened
	Sealed   int64 // values that are sealed by a key that may not be used, and were not opened
	Findings []Finding
}

// Damaged reports whether a finding is more than a note.
func (r *Report) Damaged() bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return !f.Note })
}

// Check reads a folder that no store has open, down to the last block, and changes nothing in it. Damage is in the
// report. Errors: an [*OpenError] for a folder that cannot be checked at all, or whose disk does not answer. Of opts it
// uses Dir, RootKey, Disk and Survey.
func Check(opts Options) (*Report, error) {
	p, err := openForCheck(opts)
	if err != nil {
		return nil, err
	}
	defer p.close()
	p.skipUnread()
	if err := p.examine(); err != nil {
		return nil, err
	}
	return &p.report, nil
}

// checkedFolder is a folder that is being checked.
type checkedFolder struct {
	*folder
	marker *marker
	files  vfs.FS // decrypts
	lock   *pebble.Lock
	exam   *examination
	report Report
	names  *Names      // of the folder's contents; nil until they are known
	live   []liveTable // named by the manifest; nil if it cannot be read
}

// liveTable is a sorted table of the database, with the range of its keys.
type liveTable struct {
	number uint64
	keyRange
}

// openForCheck locks a folder that no store has open, and gives operations on it a time limit. The caller closes it.
func openForCheck(opts Options) (*checkedFolder, error) {
	f := newFolder(opts, slog.New(slog.DiscardHandler))
	f.limit(newCondition(f.logger), "the check waits")
	p, err := f.openForCheck()
	if err != nil {
		err = cmp.Or(f.unanswered(), err)
		f.endLimits()
	}
	return p, err
}

func (f *folder) openForCheck() (*checkedFolder, error) {
	m, err := f.readMarker()
	if err != nil {
		return nil, err
	}
	if m == nil {
		return nil, &OpenError{f.dir, "does not exist or has no FORMAT file",
			"use a data folder; if it is an incomplete backup or salvage, remove it and repeat that", nil}
	}
	p, err := newCheckedFolder(f, m)
	if err != nil {
		return nil, err
	}
	return p, p.lockExisting()
}

// newCheckedFolder prepares the check of a folder whose marker is m.
func newCheckedFolder(f *folder, m *marker) (*checkedFolder, error) {
	files, err := f.decrypted(readOnlyFS{f.fs}, m.key)
	if err != nil {
		return nil, err
	}
	return &checkedFolder{folder: f, marker: m, files: files, report: Report{Format: m.version}}, nil
}

// inUse is the problem of a folder that is locked.
const inUse = "is in use by an emulator"

// lockExisting takes the lock if its file exists. It does not create one.
func (p *checkedFolder) lockExisting() error {
	if _, err := p.fs.Stat(filepath.Join(p.data(), "LOCK")); err != nil {
		return nil
	}
	lock, err := pebble.LockDirectory(p.data(), p.fs)
	if err == nil || errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission) {
		p.lock = lock
		return nil
	}
	return &OpenError{p.dir, inUse, "stop it first", err}
}

func (p *checkedFolder) close() {
	if p.lock != nil {
		_ = p.lock.Close()
	}
	p.endLimits()
}

// examine checks the folder. Once the disk has not answered, nothing can be said about it.
func (p *checkedFolder) examine() error {
	err := p.examineFiles()
	return cmp.Or(p.unanswered(), err)
}

func (p *checkedFolder) examineFiles() error {
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

func (p *checkedFolder) addFinding(f Finding) {
	p.report.Findings = append(p.report.Findings, p.named(f))
}

// named returns a finding with the names of what it affects.
func (p *checkedFolder) named(f Finding) Finding {
	if p.names != nil && (f.From != nil || f.To != nil) {
		f.Holds = p.names.In(f.From, f.To)
	}
	return f
}

// examineDatabase opens the database for reading, lists its tables and reads all keys and values. If a log prevents
// that, it lists the tables alone.
func (p *checkedFolder) examineDatabase() {
	if !p.exam.sound {
		return // Pebble takes a truncated manifest for a complete one
	}
	foreign := slices.ContainsFunc(p.report.Findings, func(f Finding) bool { return !f.Note && !f.tail })
	if foreign || !p.examineOpened() {
		p.listTables()
	}
}

// examineOpened returns false if the database cannot be opened.
func (p *checkedFolder) examineOpened() bool {
	db, err := openForReading(p.folder, p.marker, true)
	if err != nil {
		if !p.report.Damaged() {
			p.addFinding(Finding{File: dataDir, Problem: "cannot be opened: " + oneLine(err).Error()})
		}
		return false
	}
	defer db.Close()
	if p.live, err = liveTables(db); err != nil {
		p.addFinding(Finding{File: dataDir, Problem: oneLine(err).Error()})
		return true
	}
	p.examineEntries(db)
	return true
}

// listTables lists the tables that the manifest names, with all logs hidden from Pebble. Other tables in the folder are
// older: a compaction may have given newer versions of their keys a lower sequence number.
func (p *checkedFolder) listTables() {
	logs, err := p.logs(0)
	if err != nil {
		return
	}
	without := *p.folder
	without.hidden = slices.Clone(p.hidden)
	for _, id := range logs {
		without.hidden = append(without.hidden, id.String())
	}
	if db, err := openForReading(&without, p.marker, true); err == nil {
		defer db.Close()
		p.live, _ = liveTables(db)
	}
}

// examineTables verifies each block of each table.
func (p *checkedFolder) examineTables() {
	for _, t := range p.tables() {
		name := filepath.Join(dataDir, tableName(t.number))
		r, err := openTable(p.files, p.data(), t.number)
		if err != nil {
			p.addFinding(Finding{File: name, Problem: "cannot be read: " + oneLine(err).Error(), From: t.from, To: t.to})
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

// damagedTable reports which keys of a table are affected.
func (p *checkedFolder) damagedTable(name string, t liveTable, r *sstable.Reader, damage error) {
	gaps, _ := readTable(r, func(version) error { return nil })
	if len(gaps) == 0 || len(gaps) == 1 && gaps[0].to == nil {
		gaps = []keyRange{t.keyRange}
	}
	for _, gap := range gaps {
		p.addFinding(Finding{File: name, Problem: "has a damaged block: " + oneLine(damage).Error(),
			From: gap.from, To: gap.to})
	}
}

// tables returns the tables of the database or, if its manifest cannot be read, all tables in the folder.
func (p *checkedFolder) tables() []liveTable {
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

// examineTornLogs reads the logs that are needed. A log that does not end properly has already been found by its hash,
// unless only writes that were not acknowledged are missing.
func (p *checkedFolder) examineTornLogs() error {
	logs, err := p.logs(p.exam.head.minLog)
	if err != nil {
		return nil // a missing data folder is a finding already
	}
	for _, id := range logs {
		end, err := readLog(p.files, p.data(), id)
		name := filepath.Join(dataDir, id.String())
		known := slices.ContainsFunc(p.report.Findings, func(f Finding) bool { return f.File == name })
		switch {
		case err != nil && !known:
			p.addFinding(Finding{File: name, Problem: "cannot be read: " + oneLine(err).Error()})
		case err == nil:
			p.report.Logs++
			if end.torn && !known {
				p.addFinding(Finding{File: name, Note: true, Problem: fmt.Sprintf(
					"ends with %d bytes of a write that was not acknowledged", end.size-end.offset)})
			}
		}
	}
	return nil
}
