package engine

import (
	"context"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Backfilling an index, entering existing items in the order of expiry, filling a new replica, and sealing existing
// items under a table's new key take many transactions after the definition is published. The definition records that
// they are in progress, so that after a crash the next process finishes them.

// HasUnfinishedWork reports whether such work is in progress.
func (def *Definition) HasUnfinishedWork() bool {
	for _, x := range def.Global {
		if x.Backfilling {
			return true
		}
	}
	for _, x := range def.Vectors {
		if x.Backfilling {
			return true
		}
	}
	return def.EnteringExpiry || def.Sealing || def.Filling != nil
}

// FinishWork finishes such work. a.DDL must be closed, or no other goroutine know of the account.
func (a *Account) FinishWork(t *Table) (*Table, error) {
	if !t.Def.HasUnfinishedWork() || t.locked() {
		return t, nil
	}
	def := t.Def.Clone()
	if def.Sealing {
		if err := a.sealExisting(t); err != nil {
			return nil, err
		}
		def.Sealing = false
	}
	for i, d := range def.Global {
		if !d.Backfilling {
			continue
		}
		x, _ := t.Index(d.Name)
		if err := a.backfill(t, x); err != nil {
			return nil, err
		}
		def.Global[i].Backfilling = false
	}
	for i, d := range def.Vectors {
		if !d.Backfilling {
			continue
		}
		x, _ := t.Vector(d.Name)
		if err := a.eachChunk(t, x.Enter); err != nil {
			return nil, err
		}
		def.Vectors[i].Backfilling = false
	}
	if def.Filling != nil {
		if err := a.fill(t); err != nil {
			return nil, err
		}
		def.Stream, def.Filling = def.Filling.Stream, nil
	}
	if def.EnteringExpiry {
		if err := a.enterExpiry(t); err != nil {
			return nil, err
		}
		def.EnteringExpiry = false
	}
	return a.Publish(context.Background(), def, nil)
}

// finishAllWork finishes what the last process left in progress. s.mu must be held.
func (s *Engine) finishAllWork() error {
	for _, a := range s.Accounts {
		for _, t := range *a.Tables.Load() {
			if _, err := a.FinishWork(t); err != nil {
				return err
			}
		}
	}
	return nil
}

// sealExisting seals the existing data of a table, its indexes and its change log under the table's new key, by
// rewriting all of it. It uses many transactions; after a crash it starts again from the beginning.
func (a *Account) sealExisting(t *Table) error {
	ranges := [][2][]byte{logSpan(t.Def.ID)}
	lo, hi := KeySpan(t.Def.ID)
	ranges = append(ranges, [2][]byte{lo, hi})
	for _, x := range t.Indexes {
		lo, hi := KeySpan(x.ID)
		ranges = append(ranges, [2][]byte{lo, hi})
	}
	for _, x := range t.Vectors {
		lo, hi := KeySpan(x.ID)
		ranges = append(ranges, [2][]byte{lo, hi})
	}
	for _, r := range ranges {
		if err := a.eachChunkInRange(t, r[0], r[1], func(tx *store.Tx, key, value []byte) error {
			return tx.Append(key, value)
		}); err != nil {
			return err
		}
	}
	return nil
}
