package engine

import (
	"context"
	"encoding/binary"
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/poison"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Write runs fn in a transaction on a logical partition and commits it. If fn or the commit fails, for example on a
// duplicate unique key, nothing changes. The partition is latched while fn runs, so fn must be short.
func (c *Container) Write(ctx context.Context, key doc.PartitionKey, fn func(*Transaction) *wire.Error) (*Transaction,
	*wire.Error) {
	for {
		t, err := c.tryWrite(ctx, key, fn)
		if !errors.Is(err, errLogStarted) {
			return t, c.State.Internal(err)
		}
	}
}

// tryWrite is one attempt of Write. It fails with errLogStarted, before it calls fn, if the container began to keep
// versions after the attempt did.
func (c *Container) tryWrite(ctx context.Context, key doc.PartitionKey,
	fn func(*Transaction) *wire.Error) (*Transaction, error) {
	if err := c.Sequence.reserve(); err != nil {
		return nil, err
	}
	t := c.NewTransaction(ctx, key)
	if c.Definition.Load().Retention > 0 {
		t.beginLog()
	}
	t.historyTicket = c.History.Begin()
	defer t.end()
	err := c.State.Store.UpdateContext(ctx, store.Latch(t.IdentityPrefix).Within(c.Gate), func(tx *store.Tx) error {
		if err := t.start(tx); err != nil {
			return err
		}
		if t.Definition.Retention > 0 && t.log == nil {
			return errLogStarted
		}
		if err := fn(t); err != nil {
			return err
		}
		if err := t.commit(); err != nil {
			return err
		}
		t.Tx.publish()
		return nil
	})
	if err == nil {
		c.afterCommit(ctx, t)
	}
	return t, err
}

// WriteOptimistic is like Write for an fn that runs scripts, which may take seconds, without blocking others. fn runs
// on a snapshot, and again from the beginning if another write to the partition or a change of the container's
// definition conflicts. LSNs are taken after fn, so readers of the change feed never wait for a script.
func (c *Container) WriteOptimistic(ctx context.Context, key doc.PartitionKey,
	fn func(*Transaction) *wire.Error) (*Transaction, *wire.Error) {
	t := c.NewTransaction(ctx, key)
	defer func() { t.end() }() // also after a panic
	latches := store.Latch(t.IdentityPrefix).Within(c.Gate)
	err := c.State.Store.UpdateOptimistic(ctx, latches, func(tx *store.Tx) error {
		t.end() // of a previous attempt
		t = c.NewTransaction(ctx, key)
		if err := t.start(tx); err != nil {
			return err
		}
		if err := fn(t); err != nil {
			return err
		}
		if err := c.Sequence.reserve(); err != nil {
			return err
		}
		if t.Definition.Retention > 0 {
			t.beginLog()
		}
		t.historyTicket = c.History.Begin()
		return t.commit()
	}, func(*store.Tx) error {
		t.Tx.publish()
		return nil
	})
	t.end()
	if err == nil {
		c.afterCommit(ctx, t)
	}
	return t, c.State.Internal(err)
}

// start begins the transaction.
func (t *Transaction) start(tx *store.Tx) error {
	if t.Container.Deleted.Load() {
		return wire.OwnerNotFound()
	}
	t.Tx, t.Definition, t.Now = &laggedTx{Tx: tx, enabled: t.Container.State.PendingWrites.Recording()},
		t.Container.Definition.Load(), t.Container.State.Now().Unix()
	tx.OnCommit(t.updateCounters)
	return nil
}

// beginLog starts an append to the log of versions. Readers of the log wait for it until end.
func (t *Transaction) beginLog() {
	t.log = t.Container.Log
	t.ticket = t.log.Begin()
}

// end releases what others wait for, after the transaction is committed and durable, or has failed.
func (t *Transaction) end() {
	t.ticket.End()
	t.historyTicket.End()
	if t.firstLSN != 0 {
		t.Container.Sequence.done(t.firstLSN)
	}
	t.ticket, t.historyTicket, t.firstLSN = changelog.Ticket{}, changelog.Ticket{}, 0
}

// afterCommit runs the follow-up work of a committed transaction: timers and splits.
func (c *Container) afterCommit(ctx context.Context, t *Transaction) {
	c.State.Expiry.ScheduleEntry(t.expiryDue)
	c.State.trimTimer.ScheduleAt(t.trimDue)
	if splitErr := c.splitOversized(ctx, t.EPK); splitErr != nil && ctx.Err() == nil { // the write itself has succeeded
		c.State.Log.Error("Cosmos DB: a full partition cannot be split", "error", splitErr)
	}
}

// Put creates or replaces the item with i's id, unless another item has one of its unique keys. Put sets the timestamp
// and the ETag; the commit sets the rid and the LSN.
func (t *Transaction) Put(i *Item) *wire.Error {
	change, err := t.changeOf(i.ID)
	if err != nil {
		return t.Container.State.Internal(err)
	}
	if err := checkKeyValues(t.Key); err != nil {
		return err
	}
	if err := t.checkUnique(i); err != nil {
		return err
	}
	i.EPK, i.Timestamp, i.ETag = t.EPK, t.Now, t.Container.State.Random.GUID()
	if change.New != nil {
		i.RID = change.New.RID
	}
	change.New, change.Dirty = i, true
	return nil
}

// remove deletes the item with an id, which must exist.
func (t *Transaction) remove(id string) *wire.Error {
	change, err := t.changeOf(id)
	if err != nil {
		return t.Container.State.Internal(err)
	}
	change.New, change.Dirty = nil, true
	return nil
}

// commit writes the changes.
func (t *Transaction) commit() error {
	if err := t.assignNumbers(); err != nil || t.LSN == 0 {
		return err
	}
	if err := t.writeUniqueEntries(); err != nil {
		return err
	}
	for _, change := range t.Changes {
		if change.changed() {
			if err := t.applyChange(change); err != nil {
				return err
			}
		}
	}
	if err := t.logVersions(); err != nil {
		return err
	}
	return t.logHistory()
}

// assignNumbers assigns an LSN to each change and a rid to each new item.
func (t *Transaction) assignNumbers() error {
	changed, created := 0, 0
	for _, change := range t.Changes {
		if change.changed() {
			changed++
			if change.New != nil && change.New.RID == 0 {
				created++
			}
		}
	}
	if changed == 0 {
		return nil
	}
	n := 1
	if t.Independent {
		n = changed
	}
	lsn, rid, err := t.Container.Sequence.assign(n, created, func() {
		t.Tx.reserveOrder(t.Container.State.PendingWrites, t.Container)
	})
	if err != nil {
		return err
	}
	t.firstLSN, t.LSN = lsn, lsn+uint64(n-1)
	for _, change := range t.Changes {
		if !change.changed() {
			continue
		}
		if change.lsn = lsn; t.Independent {
			lsn++
		}
		if change.New == nil {
			continue
		}
		change.New.LSN, change.New.sharedLSN = change.lsn, changed > n
		if change.New.RID == 0 {
			change.New.RID = rid
			rid++
		}
	}
	return nil
}

// applyChange writes one change.
func (t *Transaction) applyChange(change *Change) error {
	if change.stored != nil {
		if err := t.Tx.Delete(t.Container.changeFeedKey(change.stored)); err != nil {
			return err
		}
		if change.New == nil || change.New.RID != change.stored.RID {
			if err := t.Tx.Delete(t.Container.ItemKey(change.stored.RID)); err != nil {
				return err
			}
		}
	}
	if change.New == nil {
		if err := t.Tx.Delete(t.identity(change.ID)); err != nil {
			return err
		}
	} else if err := t.writeItem(change); err != nil {
		return err
	}
	if err := t.updateExpiry(change); err != nil {
		return err
	}
	return t.updateIndexes(change)
}

// writeItem writes a new item or a replacement.
func (t *Transaction) writeItem(change *Change) error {
	i := change.New
	rid := binary.BigEndian.AppendUint64(nil, i.RID)
	if err := t.setItem(i); err != nil {
		return err
	}
	if change.stored == nil || change.stored.RID != i.RID {
		if err := t.Tx.Set(t.identity(change.ID), rid); err != nil {
			return err
		}
	}
	return t.Tx.Append(t.Container.changeFeedKey(i), rid)
}

// setItem writes the stored form of an item, from memory that is reused.
func (t *Transaction) setItem(i *Item) error {
	stored := storedItems.Get().(*[]byte)
	*stored = i.appendTo((*stored)[:0])
	err := t.Tx.Set(t.Container.ItemKey(i.RID), *stored)
	if poison.Bytes(*stored); cap(*stored) <= maxReused {
		storedItems.Put(stored)
	}
	return err
}

// maxReused is the size in bytes above which the memory of a stored form is not reused.
const maxReused = 64 << 10

var storedItems = poison.Pool{New: func() any { return new([]byte) }}

// DeleteItems deletes up to limit items of the partition. more reports whether there may be others.
func (t *Transaction) DeleteItems(limit int) (more bool, err *wire.Error) {
	ids, storeErr := t.Container.idsWithPrefix(&t.Tx.Reader, t.IdentityPrefix, limit)
	if storeErr != nil {
		return false, t.Container.State.Internal(storeErr)
	}
	for _, id := range ids {
		change, storeErr := t.changeOf(id)
		if storeErr != nil {
			return false, t.Container.State.Internal(storeErr)
		}
		change.New, change.Dirty = nil, true
	}
	return len(ids) == limit, nil
}
