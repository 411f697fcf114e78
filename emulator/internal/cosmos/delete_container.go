package cosmos

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// deleteContainer deletes a container with all that it holds.
func deleteContainer(c *call) *Error {
	all, one := &c.account.catalog, c.container
	if err := c.checkMatch(one.definition.Load().etag); err != nil {
		return err
	}
	if problem := all.changing.Close(c.ctx); problem != nil {
		return c.internal(problem)
	}
	defer all.changing.Open()
	if one.database.byRID[one.rid] != one {
		return notFound(one.name)
	}
	if err := c.account.store.UpdateContext(c.ctx, store.Latch().Alone(one.gate), one.drop); err != nil {
		return c.internal(err)
	}
	all.forget(one)
	c.charge = chargeMetadataWrite
	c.replyNothing(http.StatusNoContent)
	return nil
}

// drop removes a container and all that it holds, in a transaction that runs alone, while the catalogue is being changed. Those that
// wait find it gone.
func (c *container) drop(tx *store.Tx) error {
	tx.OnCommit(func() { c.gone.Store(true) })
	prefix := containerPrefix(c.number)
	if err := tx.DeleteRange(prefix, store.PrefixEnd(prefix)); err != nil {
		return err
	}
	if err := tx.Delete(countersKey(c.number)); err != nil {
		return err
	}
	if err := c.log.Drop(tx); err != nil {
		return err
	}
	if o := c.state.catalog.offers[c.rid]; o != nil {
		if err := tx.Delete(numbered(metaOffer, o.number)); err != nil {
			return err
		}
	}
	return tx.Delete(numbered(metaContainer, c.number))
}
