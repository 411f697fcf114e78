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
func (s *State) CreateContainer(ctx context.Context, d *Database, def *Definition,
	dedicated throughput.Provisioned) (*Container, error) {
	return s.createContainer(ctx, d, def, dedicated, false)
}

// createContainer creates a container, hidden if its items are to be restored.
func (s *State) createContainer(ctx context.Context, d *Database, def *Definition, dedicated throughput.Provisioned,
	restoring bool) (*Container, error) {
	def.ETag, def.Timestamp = s.Random.GUID().ETag(), s.Now().Unix()
	catalog := &s.Catalog
	if err := catalog.changing.Close(ctx); err != nil {
		return nil, err
	}
	defer catalog.changing.Open()
	if catalog.byRID[d.RID] != d {
		return nil, wire.OwnerNotFound()
	}
	if d.containers[def.Resource.Field("id").Str()] != nil {
		return nil, wire.Conflict()
	}
	if dedicated.Rate() == 0 && catalog.offers[d.RID] == nil {
		dedicated.Manual = throughput.MinManual
	}
	parts := newPartitions(&def.Key, throughput.InitialPartitions(dedicated.Rate()))
	container, err := newContainer(s, d, catalog.lastContainer+1, d.ordinal+1, def, parts)
	if err != nil {
		return nil, err
	}
	container.restoring.Store(restoring)
	return container, s.addContainer(ctx, container, dedicated)
}

// ReplaceContainer replaces the definition of a container. Errors: NotFound, PreconditionFailed; BadRequest or
// Forbidden if the new definition changes an immutable property.
func (s *State) ReplaceContainer(ctx context.Context, container *Container, def *Definition,
	conditions Conditions) error {
	catalog := &s.Catalog
	if err := catalog.changing.Close(ctx); err != nil {
		return err
	}
	defer catalog.changing.Open()
	if container.Deleted.Load() {
		return wire.NotFound(container.Name)
	}
	previous := container.Definition.Load()
	if err := conditions.CheckMatch(previous.ETag); err != nil {
		return err
	}
	if err := def.checkReplacement(previous); err != nil {
		return err
	}
	def.ETag, def.Timestamp = s.Random.GUID().ETag(), s.Now().Unix()
	if err := s.Store.UpdateContext(ctx, store.Latch().Alone(container.Gate), func(tx *store.Tx) error {
		return container.ReplaceDefinition(tx, def)
	}); err != nil {
		return err
	}
	return s.Expiry.Schedule()
}

// immutableProperties are the immutable properties of a container.
var immutableProperties = []string{"id", "partitionKey", "conflictResolutionPolicy"}

// checkReplacement rejects a definition that changes an immutable property.
func (d *Definition) checkReplacement(previous *Definition) *wire.Error {
	if !doc.Equal(d.Resource.Field("clientEncryptionPolicy"), previous.Resource.Field("clientEncryptionPolicy")) {
		return wire.InvalidInput("'clientEncryptionPolicy' cannot be changed as part of collection replace operation.")
	}
	for _, name := range immutableProperties {
		if !doc.Equal(d.Resource.Field(name), previous.Resource.Field(name)) {
			return wire.InvalidInput("The %s of a container cannot be changed.", name)
		}
	}
	if !slices.EqualFunc(d.uniqueKeys, previous.uniqueKeys, uniqueKey.equal) {
		return wire.Forbidden(
			"The unique index cannot be modified. To change the unique index, remove the collection and re-create a new one.")
	}
	return nil
}

// DeleteContainer deletes a container and all its content. Errors: NotFound.
func (s *State) DeleteContainer(ctx context.Context, container *Container) error {
	catalog := &s.Catalog
	if err := catalog.changing.Close(ctx); err != nil {
		return err
	}
	defer catalog.changing.Open()
	if container.Database.byRID[container.RID] != container {
		return wire.NotFound(container.Name)
	}
	if err := s.Store.UpdateContext(ctx, store.Latch().Alone(container.Gate), container.Drop); err != nil {
		return err
	}
	catalog.removeContainer(container)
	return nil
}

// addContainer stores a new container, its offer if asked is not zero, and the number it took in its database, so that
// no other container gets that number. Then it adds the container to the catalogue, which the caller is changing.
func (s *State) addContainer(ctx context.Context, container *Container, dedicated throughput.Provisioned) error {
	d := *container.Database
	d.ordinal = container.ordinal
	offer := s.newOffer(container.RID, container.SelfLink(), dedicated)
	err := s.Store.UpdateContext(ctx, store.Latch(numberedMetaKey(metaContainer, container.Number)),
		func(tx *store.Tx) error {
			if err := offer.store(tx); err != nil {
				return err
			}
			if err := s.Catalog.storeHighest(tx, 0, container.Number, offer); err != nil {
				return err
			}
			if err := tx.Set(d.Key(), d.record()); err != nil {
				return err
			}
			return tx.Set(numberedMetaKey(metaContainer, container.Number), container.record(container.Definition.Load()))
		})
	if err != nil {
		return err
	}
	catalog := &s.Catalog
	catalog.mu.Lock()
	defer catalog.mu.Unlock()
	catalog.lastContainer = max(catalog.lastContainer, container.Number)
	container.Database.add(container)
	registerContainerName(s.Store.Names(), container.Number, d.Name, container.Name)
	catalog.addOffer(offer)
	catalog.distributeThroughput(container)
	return nil
}

// Drop deletes a container and all its content, in an exclusive transaction, while the catalogue is being changed.
// Operations that waited for the transaction find Gone set.
func (c *Container) Drop(tx *store.Tx) error {
	tx.OnCommit(func() { c.Deleted.Store(true) })
	prefix := ContainerPrefix(c.Number)
	if err := tx.DeleteRange(prefix, store.PrefixEnd(prefix)); err != nil {
		return err
	}
	if err := tx.Delete(countersKey(c.Number)); err != nil {
		return err
	}
	if err := c.Log.Retire(tx); err != nil {
		return err
	}
	if c.History != nil {
		if err := c.History.Retire(tx); err != nil {
			return err
		}
	}
	if o := c.State.Catalog.offers[c.RID]; o != nil {
		if err := tx.Delete(numberedMetaKey(metaOffer, o.number)); err != nil {
			return err
		}
	}
	return tx.Delete(numberedMetaKey(metaContainer, c.Number))
}

// ReplaceDefinition stores a definition, in an exclusive transaction, and makes it effective on commit.
func (c *Container) ReplaceDefinition(tx *store.Tx, def *Definition) error {
	tx.OnCommit(func() { c.Definition.Store(def) })
	if err := tx.Set(numberedMetaKey(metaContainer, c.Number), c.record(def)); err != nil {
		return err
	}
	if err := c.dropExcludedIndexes(tx, def.Indexing); err != nil {
		return err
	}
	previous := c.Definition.Load()
	if previous.DefaultTTL != def.DefaultTTL {
		if err := c.rescheduleExpiry(tx, previous.DefaultTTL, def.DefaultTTL); err != nil {
			return err
		}
	}
	if previous.Retention != 0 && def.Retention == 0 {
		return c.Log.Drop(tx)
	}
	return nil
}
