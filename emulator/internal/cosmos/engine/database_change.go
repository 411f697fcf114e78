package engine

import (
	"context"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// CreateDatabase creates a database, with shared throughput unless own is zero. Errors: Conflict.
func (s *State) CreateDatabase(ctx context.Context, name string, own throughput.Provisioned) (*Database, error) {
	all := &s.Catalog
	if err := all.changing.Close(ctx); err != nil {
		return nil, err
	}
	defer all.changing.Open()
	if all.databases[name] != nil {
		return nil, wire.Conflict()
	}
	d := newDatabase(all.lastDB+1, name)
	d.ETag, d.timestamp = s.Random.GUID().ETag(), s.Now().Unix()
	key := numbered(metaDatabase, d.number)
	if err := s.Store.UpdateContext(ctx, store.Latch(key), func(tx *store.Tx) error { return tx.Set(key, d.record()) }); err != nil {
		return nil, err
	}
	all.addDatabase(d)
	if own.Rate() == 0 {
		return d, nil
	}
	return d, s.applyOffer(context.Background(), s.newOffer(d.RID, d.Link(), own)) // nothing waits for a new database
}

// DeleteDatabase deletes a database and all its content. Errors: NotFound.
func (s *State) DeleteDatabase(ctx context.Context, d *Database) error {
	all := &s.Catalog
	if err := all.changing.Close(ctx); err != nil {
		return err
	}
	defer all.changing.Open()
	if all.byRID[d.RID] != d {
		return wire.NotFound(d.Name)
	}
	var gates []*store.Gate
	for _, one := range d.containers {
		gates = append(gates, one.Gate)
	}
	latches := store.Latch(numbered(metaDatabase, d.number)).Alone(gates...)
	if err := s.Store.UpdateContext(ctx, latches, func(tx *store.Tx) error { return d.drop(tx, all.offers[d.RID]) }); err != nil {
		return err
	}
	all.forgetDatabase(d)
	return nil
}

// drop deletes a database and all its content, in an exclusive transaction. own is its offer, or nil.
func (d *Database) drop(tx *store.Tx, own *Offer) error {
	for _, one := range d.containers {
		if err := one.Drop(tx); err != nil {
			return err
		}
	}
	if own != nil {
		if err := tx.Delete(numbered(metaOffer, own.number)); err != nil {
			return err
		}
	}
	if err := d.dropChildren(tx); err != nil {
		return err
	}
	return tx.Delete(numbered(metaDatabase, d.number))
}
