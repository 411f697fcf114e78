package engine

import (
	"context"
	"encoding/binary"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// A new index is filled, the items of a table that gets a time to live are entered in the order of expiry, and those of
// one that gets a key of its own are sealed, in many transactions, after the definition that says so. It says too that
// this is under way, so that a process that dies meanwhile is followed by one that finishes it.

// unfinished says whether something of a definition is under way.
func (def *Definition) Unfinished() bool {
	for _, x := range def.Global {
		if x.Backfilling {
			return true
		}
	}
	return def.EnteringExpiry || def.Sealing
}

// Finish does what is under way. a.DDL must be closed, or nobody else know of the account.
func (a *Account) Finish(t *Table) (*Table, error) {
	if !t.Def.Unfinished() || t.locked() {
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
	if def.EnteringExpiry {
		if err := a.enterExpiry(t); err != nil {
			return nil, err
		}
		def.EnteringExpiry = false
	}
	return a.Publish(context.Background(), def, nil)
}

// finishAll does what the last process left under way. s.mu must be held.
func (s *Engine) finishAll() error {
	for _, a := range s.Accounts {
		for _, t := range *a.Tables.Load() {
			if _, err := a.Finish(t); err != nil {
				return err
			}
		}
	}
	return nil
}

// sealExisting seals what was in a table, its indexes and its change log before it had a key: it writes all of it
// again. It runs in transactions of their own; what a dead process left is done again.
func (a *Account) sealExisting(t *Table) error {
	ranges := [][2][]byte{logSpace(t.Def.ID)}
	lo, hi := SpaceOf(t.Def.ID)
	ranges = append(ranges, [2][]byte{lo, hi})
	for _, x := range t.Indexes {
		lo, hi := SpaceOf(x.ID)
		ranges = append(ranges, [2][]byte{lo, hi})
	}
	for _, r := range ranges {
		if err := a.eachChunkOf(t, r[0], r[1], func(tx *store.Tx, key, value []byte) error { return tx.Append(key, value) }); err != nil {
			return err
		}
	}
	return nil
}

func logSpace(id uint32) [2][]byte {
	lo := binary.BigEndian.AppendUint32([]byte{SpaceLog}, id)
	return [2][]byte{lo, store.PrefixEnd(lo)}
}
