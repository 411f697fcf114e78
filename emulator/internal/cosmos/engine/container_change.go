package engine

import (
	"context"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// AddContainer stores a new container, its offer if it has one of its own, and that its database gave it a number which no other one
// gets; then it is in the catalogue, which the caller is changing.
func (s *State) AddContainer(ctx context.Context, one *Container, asked throughput.Provisioned) error {
	d := *one.Database
	d.Ordinal = one.ordinal
	var own *Offer
	if asked.Rate() > 0 {
		own = s.NewOffer(one.RID, one.Link(), asked)
	}
	err := s.Store.UpdateContext(ctx, store.Latch(Numbered(metaContainer, one.Number)), func(tx *store.Tx) error {
		if own != nil {
			if err := tx.Set(Numbered(MetaOffer, own.Number), own.record()); err != nil {
				return err
			}
		}
		if err := tx.Set(Numbered(MetaDatabase, d.Number), d.Record()); err != nil {
			return err
		}
		return tx.Set(Numbered(metaContainer, one.Number), one.record(one.Definition.Load()))
	})
	if err != nil {
		return err
	}
	all := &s.Catalog
	all.mu.Lock()
	defer all.mu.Unlock()
	all.LastColl = max(all.LastColl, one.Number)
	one.Database.add(one)
	nameContainer(s.Store.Names(), one.Number, d.Name, one.Name)
	if own != nil {
		all.addOffer(own)
	}
	all.distribute(one)
	return nil
}

// Drop removes a container and all that it holds, in a transaction that runs alone, while the catalogue is being changed. Those that
// wait find it gone.
func (c *Container) Drop(tx *store.Tx) error {
	tx.OnCommit(func() { c.Gone.Store(true) })
	prefix := ContainerPrefix(c.Number)
	if err := tx.DeleteRange(prefix, store.PrefixEnd(prefix)); err != nil {
		return err
	}
	if err := tx.Delete(countersKey(c.Number)); err != nil {
		return err
	}
	if err := c.Log.Drop(tx); err != nil {
		return err
	}
	if o := c.State.Catalog.Offers[c.RID]; o != nil {
		if err := tx.Delete(Numbered(MetaOffer, o.Number)); err != nil {
			return err
		}
	}
	return tx.Delete(Numbered(metaContainer, c.Number))
}

// Redefine writes the definition, in a transaction that runs alone, and has it in force from then on.
func (c *Container) Redefine(tx *store.Tx, def *Definition) error {
	tx.OnCommit(func() { c.Definition.Store(def) })
	if err := tx.Set(Numbered(metaContainer, c.Number), c.record(def)); err != nil {
		return err
	}
	if err := c.dropUnserved(tx, def.Indexing); err != nil {
		return err
	}
	was := c.Definition.Load()
	if was.DefaultTTL != def.DefaultTTL {
		if err := c.relist(tx, was.DefaultTTL, def.DefaultTTL); err != nil {
			return err
		}
	}
	if was.Retention != 0 && def.Retention == 0 {
		return c.Log.Drop(tx)
	}
	return nil
}
