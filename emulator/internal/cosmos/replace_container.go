package cosmos

import (
	"net/http"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// fixed are the members of a container that a replace must leave as they are.
var fixed = []string{"id", "partitionKey", "conflictResolutionPolicy"}

// replaceContainer gives a container another definition.
func replaceContainer(c *call) *Error {
	v, err := c.object()
	if err != nil {
		return err
	}
	def, err := parseDefinition(v)
	if err != nil {
		return err
	}
	if err := checkBoxes(def.resource); err != nil {
		return err
	}
	all, one := &c.account.catalog, c.container
	if problem := all.changing.Close(c.ctx); problem != nil {
		return c.internal(problem)
	}
	defer all.changing.Open()
	was := one.definition.Load()
	if one.gone.Load() {
		return notFound(one.name)
	}
	if err := c.checkMatch(was.etag); err != nil {
		return err
	}
	if !doc.Equal(def.resource.Field("clientEncryptionPolicy"), was.resource.Field("clientEncryptionPolicy")) {
		return invalidInput("'clientEncryptionPolicy' cannot be changed as part of collection replace operation.")
	}
	for _, name := range fixed {
		if !doc.Equal(def.resource.Field(name), was.resource.Field(name)) {
			return invalidInput("The %s of a container cannot be changed.", name)
		}
	}
	if !slices.EqualFunc(def.unique, was.unique, uniqueKey.equal) {
		return forbidden("The unique index cannot be modified. To change the unique index, remove the collection and re-create a new one.")
	}
	def.etag, def.ts = c.account.random.GUID().ETag(), c.account.now().Unix()
	if problem := c.account.store.UpdateContext(c.ctx, store.Latch().Alone(one.gate), func(tx *store.Tx) error { return one.redefine(tx, def) }); problem != nil {
		return c.internal(problem)
	}
	if problem := c.account.expiry.Schedule(); problem != nil {
		return c.internal(problem)
	}
	c.charge = chargeMetadataWrite
	c.replyContainer(http.StatusOK, one)
	return nil
}

// redefine writes the definition, in a transaction that runs alone, and has it in force from then on.
func (c *container) redefine(tx *store.Tx, def *definition) error {
	tx.OnCommit(func() { c.definition.Store(def) })
	if err := tx.Set(numbered(metaContainer, c.number), c.record(def)); err != nil {
		return err
	}
	if err := c.dropUnserved(tx, def.indexing); err != nil {
		return err
	}
	was := c.definition.Load()
	if was.defaultTTL != def.defaultTTL {
		if err := c.relist(tx, was.defaultTTL, def.defaultTTL); err != nil {
			return err
		}
	}
	if was.retention != 0 && def.retention == 0 {
		return c.log.Drop(tx)
	}
	return nil
}
