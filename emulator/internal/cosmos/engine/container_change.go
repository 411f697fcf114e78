package engine

import (
	"context"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// CreateContainer creates a container in a database. If own is zero, it shares the throughput of the database; if the
// database has none to share, it gets the minimum. Errors: OwnerNotFound, Conflict.
func (s *State) CreateContainer(ctx context.Context, d *Database, def *Definition, own throughput.Provisioned) (*Container, error) {
	def.ETag, def.Timestamp = s.Random.GUID().ETag(), s.Now().Unix()
	all := &s.Catalog
	if err := all.changing.Close(ctx); err != nil {
		return nil, err
	}
	defer all.changing.Open()
	if all.byRID[d.RID] != d {
		return nil, wire.OwnerNotFound()
	}
	if d.containers[def.Resource.Field("id").Str()] != nil {
		return nil, wire.Conflict()
	}
	if own.Rate() == 0 && all.offers[d.RID] == nil {
		own.Manual = throughput.MinManual
	}
	parts := newPartitions(&def.Key, throughput.StartingPartitions(own.Rate()))
	one, err := newContainer(s, d, all.lastColl+1, d.ordinal+1, def, parts)
	if err != nil {
		return nil, err
	}
	return one, s.addContainer(ctx, one, own)
}

// ReplaceContainer replaces the definition of a container. Errors: NotFound, PreconditionFailed; BadRequest or
// Forbidden if the new definition changes an immutable property.
func (s *State) ReplaceContainer(ctx context.Context, one *Container, def *Definition, want Conditions) error {
	all := &s.Catalog
	if err := all.changing.Close(ctx); err != nil {
		return err
	}
	defer all.changing.Open()
	if one.Gone.Load() {
		return wire.NotFound(one.Name)
	}
	was := one.Definition.Load()
	if err := want.CheckMatch(was.ETag); err != nil {
		return err
	}
	if err := def.checkReplaces(was); err != nil {
		return err
	}
	def.ETag, def.Timestamp = s.Random.GUID().ETag(), s.Now().Unix()
	if err := s.Store.UpdateContext(ctx, store.Latch().Alone(one.Gate), func(tx *store.Tx) error { return one.Redefine(tx, def) }); err != nil {
		return err
	}
	return s.Expiry.Schedule()
}

// fixedMembers are the immutable properties of a container.
var fixedMembers = []string{"id", "partitionKey", "conflictResolutionPolicy"}

// checkReplaces rejects a definition that changes an immutable property.
func (d *Definition) checkReplaces(was *Definition) *wire.Error {
	if !doc.Equal(d.Resource.Field("clientEncryptionPolicy"), was.Resource.Field("clientEncryptionPolicy")) {
		return wire.InvalidInput("'clientEncryptionPolicy' cannot be changed as part of collection replace operation.")
	}
	for _, name := range fixedMembers {
		if !doc.Equal(d.Resource.Field(name), was.Resource.Field(name)) {
			return wire.InvalidInput("The %s of a container cannot be changed.", name)
		}
	}
	if !slices.EqualFunc(d.unique, was.unique, uniqueKey.equal) {
		return wire.Forbidden("The unique index cannot be modified. To change the unique index, remove the collection and re-create a new one.")
	}
	return nil
}

// DeleteContainer deletes a container and all its content. Errors: NotFound.
func (s *State) DeleteContainer(ctx context.Context, one *Container) error {
	all := &s.Catalog
	if err := all.changing.Close(ctx); err != nil {
		return err
	}
	defer all.changing.Open()
	if one.Database.byRID[one.RID] != one {
		return wire.NotFound(one.Name)
	}
	if err := s.Store.UpdateContext(ctx, store.Latch().Alone(one.Gate), one.Drop); err != nil {
		return err
	}
	all.forget(one)
	return nil
}

// addContainer stores a new container, its offer if asked is not zero, and the number it took in its database, so that
// no other container gets that number. Then it adds the container to the catalogue, which the caller is changing.
func (s *State) addContainer(ctx context.Context, one *Container, asked throughput.Provisioned) error {
	d := *one.Database
	d.ordinal = one.ordinal
	var own *Offer
	if asked.Rate() > 0 {
		own = s.newOffer(one.RID, one.Link(), asked)
	}
	err := s.Store.UpdateContext(ctx, store.Latch(numbered(metaContainer, one.Number)), func(tx *store.Tx) error {
		if own != nil {
			if err := tx.Set(numbered(metaOffer, own.number), own.record()); err != nil {
				return err
			}
		}
		if err := tx.Set(numbered(metaDatabase, d.number), d.record()); err != nil {
			return err
		}
		return tx.Set(numbered(metaContainer, one.Number), one.record(one.Definition.Load()))
	})
	if err != nil {
		return err
	}
	all := &s.Catalog
	all.mu.Lock()
	defer all.mu.Unlock()
	all.lastColl = max(all.lastColl, one.Number)
	one.Database.add(one)
	nameContainer(s.Store.Names(), one.Number, d.Name, one.Name)
	if own != nil {
		all.addOffer(own)
	}
	all.distribute(one)
	return nil
}

// Drop deletes a container and all its content, in an exclusive transaction, while the catalogue is being changed.
// Operations that waited for the transaction find Gone set.
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
	if o := c.State.Catalog.offers[c.RID]; o != nil {
		if err := tx.Delete(numbered(metaOffer, o.number)); err != nil {
			return err
		}
	}
	return tx.Delete(numbered(metaContainer, c.Number))
}

// Redefine stores a definition, in an exclusive transaction, and makes it effective on commit.
func (c *Container) Redefine(tx *store.Tx, def *Definition) error {
	tx.OnCommit(func() { c.Definition.Store(def) })
	if err := tx.Set(numbered(metaContainer, c.Number), c.record(def)); err != nil {
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
