package engine

import (
	"context"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// A container whose items are being restored exists under a mark in the store. It has a name, which no other container
// of the database can take, and throughput, but no request finds either. The mark is removed when all items are there.
// If the process ends before that, the next start deletes the container.

// restoringMark is the member of the stored form of a container whose items are being restored.
const restoringMark = "restoring"

// BeginRestore creates a container like CreateContainer, hidden until EndRestore: the caller writes its items, or
// deletes it with DeleteContainer if that fails. Errors: OwnerNotFound, Conflict.
func (s *State) BeginRestore(ctx context.Context, d *Database, def *Definition,
	dedicated throughput.Provisioned) (*Container, error) {
	return s.createContainer(ctx, d, def, dedicated, true)
}

// RestoreItems creates documents, in the order of their partition keys, in a container that BeginRestore created: all
// of them or none. They are one update of the store, which a disk syncs once. No other client finds the container, so
// none waits for the latches of its logical partitions.
func (c *Container) RestoreItems(ctx context.Context, documents []doc.Value) error {
	if err := c.Sequence.reserve(); err != nil {
		return err
	}
	all, err := c.restoringTransactions(ctx, documents)
	if err != nil {
		return err
	}
	keys := make([][]byte, len(all))
	for i, t := range all {
		keys[i] = t.IdentityPrefix
		if c.Definition.Load().Retention > 0 {
			t.beginLog()
		}
		t.historyTicket = c.History.Begin()
		defer t.end()
	}
	if err := c.State.Store.UpdateContext(ctx, store.Latch(keys...).Within(c.Gate), func(tx *store.Tx) error {
		for _, t := range all {
			if err := t.restore(tx); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	for _, t := range all {
		c.afterCommit(ctx, t.Transaction)
	}
	return nil
}

// restoringTransaction creates documents of a logical partition.
type restoringTransaction struct {
	*Transaction
	documents []doc.Value
}

// restoringTransactions returns a transaction for each logical partition of documents, whose partition keys are in
// order. Errors: a document without a partition key.
func (c *Container) restoringTransactions(ctx context.Context, documents []doc.Value) (all []*restoringTransaction,
	err error) {
	for _, v := range documents {
		key, err := c.Definition.Load().Key.FromDocument(v)
		if err != nil {
			return nil, err
		}
		if len(all) == 0 || !all[len(all)-1].Key.Equal(key) {
			all = append(all, &restoringTransaction{Transaction: c.NewTransaction(ctx, key)})
		}
		last := all[len(all)-1]
		last.documents = append(last.documents, v)
	}
	return all, nil
}

func (t *restoringTransaction) restore(tx *store.Tx) error {
	if err := t.start(tx); err != nil {
		return err
	}
	for _, v := range t.documents {
		i, err := t.NewItem(v)
		if err == nil {
			err = t.Create(i)
		}
		if err != nil {
			return err
		}
	}
	if err := t.commit(); err != nil {
		return err
	}
	t.Tx.publish()
	return nil
}

// EndRestore shows a container that BeginRestore created, with the items it has now. Errors: OwnerNotFound if its
// database was deleted meanwhile.
func (s *State) EndRestore(ctx context.Context, container *Container) error {
	catalog := &s.Catalog
	if err := catalog.changing.Close(ctx); err != nil {
		return err
	}
	defer catalog.changing.Open()
	if container.Deleted.Load() {
		return wire.OwnerNotFound()
	}
	key := numberedMetaKey(metaContainer, container.Number)
	if err := s.Store.UpdateContext(ctx, store.Latch(key), func(tx *store.Tx) error {
		return tx.Set(key, doc.Append(nil, container.stored(container.Definition.Load(), container.Partitions())))
	}); err != nil {
		return err
	}
	container.restoring.Store(false)
	return nil
}

// dropUnfinishedRestores deletes the containers that a process did not finish restoring.
func (s *State) dropUnfinishedRestores() error {
	for _, d := range s.Catalog.Databases() {
		for _, container := range s.Catalog.allContainers(d) {
			if !container.restoring.Load() {
				continue
			}
			if err := s.DeleteContainer(context.Background(), container); err != nil {
				return err
			}
			s.Log.Info("Cosmos DB: removed an unfinished restore", "container", container.Path())
		}
	}
	return nil
}

// hides reports whether an offer is of a container that is being restored.
func (c *Catalog) hides(o *Offer) bool {
	for _, d := range c.databases {
		if container := d.byRID[o.parentRID]; container != nil {
			return container.restoring.Load()
		}
	}
	return false
}
