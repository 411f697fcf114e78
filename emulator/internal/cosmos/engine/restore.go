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
