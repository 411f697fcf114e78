package store

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"

	"github.com/cockroachdb/pebble/v2"
)

// readOnlyStore returns a store on a database that was opened for reading. The database is closed, not the store.
func readOnlyStore(db *pebble.DB) *Store {
	s := &Store{db: db, ops: newOperations(), gate: newGate(0), condition: newCondition(slog.New(slog.DiscardHandler)),
		pause: func() {}}
	s.txs.New = func() any { return &Tx{store: s} }
	return s
}

// examineEntries reads all keys and values of the database, registers names for them, and opens sealed values.
func (p *checkedFolder) examineEntries(db *pebble.DB) {
	s := readOnlyStore(db)
	if p.survey != nil {
		p.survey(s)
	}
	p.names = s.Names()
	it, err := db.NewIter(nil)
	if err != nil {
		return // of a table; examineTables reports it
	}
	for ok := it.First(); ok; ok = it.Next() {
		p.report.Entries++
		if sealer := s.sealer.Load(); sealer != nil {
			p.examineSealed(*sealer, it.Key(), it.Value())
		}
	}
	if err := it.Close(); err != nil && !pebble.IsCorruptionError(err) && !errors.Is(err, fs.ErrNotExist) {
		p.addFinding(Finding{File: dataDir, Problem: "cannot be read: " + oneLine(err).Error()})
	}
}

// examineSealed opens what is stored under a key if it is sealed.
func (p *checkedFolder) examineSealed(sealer Sealer, key, stored []byte) {
	_, sealed, err := sealer.Open(nil, key, stored)
	switch {
	case errors.Is(err, ErrLocked):
		p.report.Sealed++
	case err != nil:
		key = append([]byte(nil), key...)
		p.addFinding(Finding{File: dataDir, Problem: fmt.Sprintf("contains a value that cannot be decrypted with its key: %v", err),
			From: key, To: key})
	case sealed:
		p.report.Opened++
	}
}
