package cosmos

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// deleteDatabase deletes a database with all its containers.
func deleteDatabase(c *call) *Error {
	d, all := c.database, &c.account.catalog
	if err := c.checkMatch(d.etag); err != nil {
		return err
	}
	if problem := all.changing.Close(c.ctx); problem != nil {
		return c.internal(problem)
	}
	defer all.changing.Open()
	if all.byRID[d.rid] != d {
		return notFound(d.name)
	}
	var gates []*store.Gate
	for _, one := range d.containers {
		gates = append(gates, one.gate)
	}
	err := c.account.store.UpdateContext(c.ctx, store.Latch(numbered(metaDatabase, d.number)).Alone(gates...), func(tx *store.Tx) error {
		for _, one := range d.containers {
			if err := one.drop(tx); err != nil {
				return err
			}
		}
		if o := all.offers[d.rid]; o != nil {
			if err := tx.Delete(numbered(metaOffer, o.number)); err != nil {
				return err
			}
		}
		if err := d.dropChildren(tx); err != nil {
			return err
		}
		return tx.Delete(numbered(metaDatabase, d.number))
	})
	if err != nil {
		return c.internal(err)
	}
	all.forgetDatabase(d)
	c.charge = chargeMetadataWrite
	c.replyNothing(http.StatusNoContent)
	return nil
}
