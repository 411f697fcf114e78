package engine

import (
	"context"
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Backfilling an index, entering existing items in the order of expiry, filling a new replica, and sealing existing
// items under a table's new key take many transactions after the definition is published. The definition records that
// they are in progress, so that the next process finishes them after a crash, or after a stop in the middle: of small
// tables before it opens, of others while requests are served. After an error, such as a full disk, they are retried.

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

// FinishWork finishes such work. a.DDL must be closed, or no other goroutine know of the account. If ctx is done
// before, the work may be continued later; after another error or a panic, it is. Errors: the cause of ctx's end.
func (a *Account) FinishWork(ctx context.Context, t *Table) (finished *Table, err error) {
	if !t.Def.HasUnfinishedWork() || t.locked() {
		return t, nil
	}
	failed := true
	defer func() {
		if failed && ctx.Err() == nil && !errors.Is(err, store.ErrClosed) {
			a.Engine.retryWork()
		}
	}()
	finished, err = a.finishWork(ctx, t)
	failed = err != nil
	return finished, err
}

func (a *Account) finishWork(ctx context.Context, t *Table) (*Table, error) {
	def := t.Def.Clone()
	if def.Sealing {
		if err := a.sealExisting(ctx, t); err != nil {
			return nil, err
		}
		def.Sealing = false
	}
	for i, d := range def.Global {
		if !d.Backfilling {
			continue
		}
		x, _ := t.Index(d.Name)
		if err := a.backfill(ctx, t, x); err != nil {
			return nil, err
		}
		def.Global[i].Backfilling = false
	}
	for i, d := range def.Vectors {
		if !d.Backfilling {
			continue
		}
		x, _ := t.Vector(d.Name)
		if err := a.eachChunk(ctx, t, x.Enter); err != nil {
			return nil, err
		}
		def.Vectors[i].Backfilling = false
	}
	if def.Filling != nil {
		if err := a.fill(ctx, t); err != nil {
			return nil, err
		}
		def.Stream, def.Filling = def.Filling.Stream, nil
	}
	if def.EnteringExpiry {
		if err := a.enterExpiry(ctx, t); err != nil {
			return nil, err
		}
		def.EnteringExpiry = false
	}
	return a.Publish(context.Background(), def, nil)
}

// sealExisting seals the existing data of a table, its indexes and its change log under the table's new key, by
// rewriting all of it. It uses many transactions; after a crash it starts again from the beginning.
func (a *Account) sealExisting(ctx context.Context, t *Table) error {
	for _, r := range sealedRanges(t) {
		if err := a.eachChunkInRange(ctx, t, r[0], r[1], func(tx *store.Tx, key, value []byte) error {
			return tx.Append(key, value)
		}); err != nil {
			return err
		}
	}
	return nil
}

// sealedRanges returns the ranges of the keys whose values the table's key seals.
func sealedRanges(t *Table) [][2][]byte {
	ranges := [][2][]byte{logSpan(t.Def.ID)}
	for id := range t.AllStats() {
		lo, hi := KeySpan(id)
		ranges = append(ranges, [2][]byte{lo, hi})
	}
	return ranges
}
