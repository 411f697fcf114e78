package store

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"slices"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/batchrepr"
)

// Salvaged is the result of [Salvage].
type Salvaged struct {
	Report                // of the damaged folder
	Kept   map[string]int // number of entries in the new folder by name, as [Names] has it; "" if not known
	Lost   []LostEntries  // what could not be read; older values of keys in these ranges may have come back
	Orphan bool           // the manifest could not be read: deleted entries may have come back anywhere
}

// LostEntries describes what could not be read of a file.
type LostEntries struct {
	Finding
	// AtMost is an upper bound of the number of lost entries: former values of a key count too. -1 means unknown.
	AtMost int64
}

// String returns the loss as one line.
func (l LostEntries) String() string {
	if l.AtMost < 0 {
		return l.Finding.String()
	}
	f := l.Finding
	f.Problem += fmt.Sprintf(", at most %d entries", l.AtMost)
	return f.String()
}

// Salvage copies what can be read of a damaged folder into a new one, which is encrypted if the damaged one is. The
// damaged folder is not changed. Of each key it keeps the newest version that can be read, in any file. The new folder
// gets its marker last: without it, an interrupted salvage is refused as incomplete. Errors: a folder that cannot be
// checked, and those of the new folder.
func Salvage(from, to Options) (*Salvaged, error) {
	if err := checkSalvageFolder(from, to); err != nil { // first: to read the damaged folder may take long
		return nil, err
	}
	p, err := openForCheck(from)
	if err != nil {
		return nil, err
	}
	defer p.close()
	p.skipUnread()
	if err := p.examine(); err != nil {
		return nil, err
	}
	if to.Begun != nil {
		to.Begun()
	}
	to.Encrypt = to.Encrypt || p.marker.key != nil
	to.unmarked = true
	s, err := Open(to)
	if err != nil {
		return nil, err
	}
	v := &salvager{checkedFolder: p, into: s, newest: map[[16]byte]uint64{}}
	err = v.run()
	if err = cmp.Or(p.unanswered(), err); err == nil {
		err = v.count()
	}
	s.markAtClose = err == nil
	if closed := s.Close(); err == nil { // otherwise it may be the same error
		err = closed
	}
	if err != nil {
		return nil, incompleteSalvage(to.Dir, err)
	}
	v.result.Report = p.report
	return &v.result, nil
}

// checkSalvageFolder refuses a new folder that is in the damaged one, or has anything in it.
func checkSalvageFolder(from, to Options) error {
	if isWithin(to.Dir, from.Dir) {
		return &OpenError{to.Dir, "is in the folder to salvage, which is not changed", "use a folder elsewhere", nil}
	}
	f := newFolder(to, slog.New(slog.DiscardHandler))
	f.limit(newCondition(f.logger), "the salvage waits")
	defer f.endLimits()
	marker, err := f.readMarker()
	if marker != nil {
		return &OpenError{to.Dir, "contains a database", "use a new folder for the salvaged data", nil}
	}
	if err == nil {
		err = f.checkEmpty()
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// isWithin reports whether a path is a folder or something in it.
func isWithin(path, dir string) bool {
	for _, p := range [...]*string{&path, &dir} {
		if abs, err := filepath.Abs(*p); err == nil {
			*p = abs
		}
	}
	relative, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(relative)
}

// incompleteSalvage returns the error of a salvage that a failure of the new folder, or a damaged folder whose disk
// answers nothing more, has ended.
func incompleteSalvage(dir string, err error) error {
	problem := "is an incomplete salvage"
	var damaged *OpenError
	if errors.As(err, &damaged) && damaged.Err != nil {
		err = damaged.Err // names the file; the message is short
	}
	var failure *Failure
	if errors.As(err, &failure) {
		problem += fmt.Sprintf(": cannot %s %s", failure.Op, failure.Path)
		err = failure.Err
	}
	return &OpenError{dir, problem, diskRemedy(err) + ", remove that folder, and salvage again", oneLine(err)}
}

// salvager copies versions of keys, in any order, into a store.
type salvager struct {
	*checkedFolder
	into    *Store
	deleted []rangeDeletion
	newest  map[[16]byte]uint64 // sequence number of the newest copied version of a key, by the key's hash
	pending []version
	bytes   int // in pending
	result  Salvaged
}

func (v *salvager) run() error {
	v.result.Orphan = v.live == nil
	logs, err := v.logs(v.exam.head.minLog)
	if err != nil {
		logs = nil // the data folder is missing
	}
	v.rangesOfTables()
	for _, id := range logs {
		_ = v.readLog(id, func(e version) error {
			if e.kind == pebble.InternalKeyKindRangeDelete {
				v.deleted = append(v.deleted, rangeDeletion{keyRange{slices.Clone(e.key), slices.Clone(e.value)}, e.sequence})
			}
			return nil
		})
	}
	for _, t := range v.tables() {
		if err := v.copyTable(t); err != nil {
			return err
		}
	}
	for _, id := range logs {
		if err := v.copyLog(id); err != nil {
			return err
		}
	}
	return v.flush()
}

func (v *salvager) addLoss(file string, problem string, keys keyRange, atMost int64) {
	v.result.Lost = append(v.result.Lost, LostEntries{Finding{File: filepath.Join(dataDir, file), Problem: problem,
		From: keys.from, To: keys.to}, atMost})
}

// count counts and names what is in the new folder, and names what is lost.
func (v *salvager) count() error {
	if v.survey != nil {
		v.survey(v.into)
		v.into.SetSealer(nil)
	}
	v.names = v.into.Names() // the damaged database may not have been opened
	for i, lost := range v.result.Lost {
		v.result.Lost[i].Finding = v.named(lost.Finding)
	}
	v.result.Kept = map[string]int{}
	return v.into.View(func(r *Reader) error {
		it := r.Iter(nil, nil, false)
		for it.Next() {
			v.result.Kept[v.names.Of(it.Key())]++
		}
		return it.Close()
	})
}

func (v *salvager) rangesOfTables() {
	for _, t := range v.tables() {
		r, err := openTable(v.files, v.data(), t.number)
		if err != nil {
			continue // copyTable reports it
		}
		deleted, err := rangeDeletions(r)
		if err != nil {
			v.addLoss(tableName(t.number), "has lost which ranges of keys it deletes", t.keyRange, -1)
		}
		v.deleted = append(v.deleted, deleted...)
		_ = r.Close()
	}
}

func (v *salvager) copyTable(t liveTable) error {
	name := tableName(t.number)
	r, err := openTable(v.files, v.data(), t.number)
	if err != nil {
		v.addLoss(name, "cannot be read", t.keyRange, -1)
		return nil
	}
	read := map[uint64]bool{} // by hash, since what is next to a gap may be read again
	gaps, err := readTable(r, func(e version) error {
		read[e.hash()] = true
		return v.take(e)
	})
	lost := entriesOf(r)
	if lost >= 0 {
		lost = max(0, lost-int64(len(read)))
	}
	for _, gap := range gaps {
		if gap.from == nil {
			gap.from = t.from
		}
		if gap.to == nil {
			gap.to = t.to
		}
		v.addLoss(name, "cannot be read in part", gap, lost)
	}
	return errors.Join(err, r.Close())
}

// copyLog copies a log up to where it cannot be read. The rest is a loss: only an error of the new folder ends the
// salvage.
func (v *salvager) copyLog(id fileID) error {
	var failed error
	err := v.readLog(id, func(e version) error {
		failed = v.take(e)
		return failed
	})
	if err == nil || failed != nil {
		return failed
	}
	problem := unreadable(err)
	switch end, fault := readLog(v.files, v.data(), id); {
	case end.torn:
		problem = fmt.Sprintf("cannot be read from byte %d of %d on", end.offset, end.size)
	case fault != nil && end.batches > 0:
		problem = fmt.Sprintf("cannot be read from byte %d on: %v", end.offset, oneLine(cause(fault)))
	}
	v.addLoss(id.String(), problem, keyRange{}, -1)
	return nil
}

func (v *salvager) readLog(id fileID, fn func(version) error) error {
	_, err := eachBatch(v.files, v.data(), id, func(batch []byte, _ int64) error {
		if len(batch) < batchrepr.HeaderLen {
			return errUnreadableLog
		}
		sequence := uint64(batchrepr.ReadSeqNum(batch))
		entries := batchrepr.Read(batch)
		for {
			kind, key, value, ok, err := entries.Next()
			if err != nil || !ok {
				return err
			}
			if err := fn(version{key, value, sequence, kind}); err != nil {
				return err
			}
			sequence++
		}
	})
	return err
}

// take copies a version unless a newer one of its key was copied.
func (v *salvager) take(e version) error {
	if e.kind != pebble.InternalKeyKindSet && e.kind != pebble.InternalKeyKindSetWithDelete &&
		e.kind != pebble.InternalKeyKindDelete &&
		e.kind != pebble.InternalKeyKindSingleDelete && e.kind != pebble.InternalKeyKindDeleteSized {
		return nil
	}
	sum := sha256.Sum256(e.key)
	id := [16]byte(sum[:16])
	if known, ok := v.newest[id]; ok && known > e.sequence {
		return nil
	}
	there := (e.kind == pebble.InternalKeyKindSet || e.kind == pebble.InternalKeyKindSetWithDelete) &&
		!slices.ContainsFunc(v.deleted, func(d rangeDeletion) bool { return d.deletes(e) })
	v.newest[id] = e.sequence
	e.key, e.value = slices.Clone(e.key), slices.Clone(e.value)
	if !there {
		e.value = nil
	}
	e.kind = pebble.InternalKeyKindDelete
	if there {
		e.kind = pebble.InternalKeyKindSet
	}
	v.pending = append(v.pending, e)
	if v.bytes += len(e.key) + len(e.value); v.bytes < salvageBatch {
		return nil
	}
	return v.flush()
}

// salvageBatch is the size in bytes of one transaction.
const salvageBatch = 1 << 20

// flush writes what is pending. Sealed values are copied as stored: their keys are in the store too.
func (v *salvager) flush() error {
	err := v.into.Update(Latches{}, func(tx *Tx) error {
		var err error
		for _, e := range v.pending {
			if e.kind == pebble.InternalKeyKindSet {
				err = errors.Join(err, tx.Set(e.key, e.value))
			} else {
				err = errors.Join(err, tx.Delete(e.key))
			}
		}
		return err
	})
	v.pending, v.bytes = v.pending[:0], 0
	return err
}
