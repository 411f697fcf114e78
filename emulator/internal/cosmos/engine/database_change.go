package engine

import (
	"context"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// CreateDatabase creates a database, with shared throughput unless that is zero. Errors: Conflict.
func (s *State) CreateDatabase(ctx context.Context, name string, shared throughput.Provisioned) (*Database, error) {
	catalog := &s.Catalog
	if err := catalog.changing.Close(ctx); err != nil {
		return nil, err
	}
	defer catalog.changing.Open()
	if catalog.databases[name] != nil {
		return nil, wire.Conflict()
	}
	d := newDatabase(catalog.lastDatabase+1, name)
	d.ETag, d.timestamp = s.Random.GUID().ETag(), s.Now().Unix()
	offer := s.newOffer(d.RID, d.Link(), shared)
	key := d.Key()
	if err := s.Store.UpdateContext(ctx, store.Latch(key), func(tx *store.Tx) error {
		if err := offer.store(tx); err != nil {
			return err
		}
		if err := catalog.storeHighest(tx, d.number, 0, offer); err != nil {
			return err
		}
		return tx.Set(key, d.record())
	}); err != nil {
		return nil, err
	}
	catalog.addDatabase(d, offer)
	return d, nil
}

// DeleteDatabase deletes a database and all its content. Errors: NotFound.
func (s *State) DeleteDatabase(ctx context.Context, d *Database) error {
	catalog := &s.Catalog
	if err := catalog.changing.Close(ctx); err != nil {
		return err
	}
	defer catalog.changing.Open()
	if catalog.byRID[d.RID] != d {
		return wire.NotFound(d.Name)
	}
	var gates []*store.Gate
	for _, container := range d.containers {
		gates = append(gates, container.Gate)
	}
	latches := store.Latch(d.Key()).Alone(gates...)
	if err := s.Store.UpdateContext(ctx, latches, func(tx *store.Tx) error {
		return d.drop(tx, catalog.offers[d.RID])
	}); err != nil {
		return err
	}
	catalog.removeDatabase(d)
	return nil
}

// drop deletes a database and all its content, in an exclusive transaction. own is its offer, or nil.
func (d *Database) drop(tx *store.Tx, offer *Offer) error {
	for _, container := range d.containers {
		if err := container.Drop(tx); err != nil {
			return err
		}
	}
	if offer != nil {
		if err := tx.Delete(numberedMetaKey(metaOffer, offer.number)); err != nil {
			return err
		}
	}
	if err := d.dropChildren(tx); err != nil {
		return err
	}
	return tx.Delete(d.Key())
}
