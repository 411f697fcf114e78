package engine

import (
	"bytes"
	"context"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// fill copies the items of another replica to a new one. Both are published: writes reach the new one meanwhile. Each
// chunk is a transaction alone in both tables. After a crash it begins again. It is billed as a restore (AWS, "Best
// practices for understanding your AWS billing and usage reports in DynamoDB").
func (a *Account) fill(ctx context.Context, t *Table) error {
	from := a.Engine.Published(t.Def.Filling.From)
	if from == nil {
		return nil
	}
	// Writes from before the new replica existed, in other regions than from, which from does not have yet.
	if err := a.Engine.FlushReplication(from.Def.ID); err != nil {
		return err
	}
	lo, hi := KeySpan(from.Def.ID)
	err := a.Engine.EachStep(ctx, func() (bool, error) {
		var changes []*Change
		err := a.Engine.Store.Update(store.Latch().Alone(from.Gate, t.Gate), func(tx *store.Tx) (err error) {
			changes, lo, err = fillChunk(tx, from, t, lo, hi)
			return err
		})
		if err != nil {
			return false, err
		}
		for _, c := range changes {
			a.Engine.AfterCommit(c)
		}
		return lo != nil, nil
	})
	if err != nil {
		return err
	}
	a.ReportConsumption(t.Def.Name, telemetry.Restored, t.StoredBytes())
	return nil
}

// fillChunk copies some of the items between two keys, and returns the changes and the key of the next item; nil if
// there is none.
func fillChunk(tx *store.Tx, from, to *Table, lo, hi []byte) (changes []*Change, next []byte, err error) {
	it := tx.Iter(lo, hi, false)
	defer it.Close()
	for size := 0; it.Next(); {
		if len(changes) == StepItems || size > StepBytes {
			next = bytes.Clone(it.Key())
			break
		}
		size += len(it.Value())
		c, err := copyItem(tx, from, to, bytes.Clone(it.Key()), nil)
		if err != nil {
			return nil, nil, err
		}
		if c != nil {
			changes = append(changes, c)
		}
	}
	return changes, next, it.Close()
}
