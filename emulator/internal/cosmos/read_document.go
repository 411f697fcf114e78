package cosmos

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// readDocument reads an item by its partition key and id.
func (c *call) readDocument() *Error {
	key, err := c.wholeKey()
	if err != nil {
		return err
	}
	if err := c.checkSession(); err != nil {
		return err
	}
	def := c.container.definition.Load()
	epk := def.key.EPK(key)
	lsn := c.container.sequence.floor()
	var i *item
	problem := c.s.store.View(func(r *store.Reader) (err error) {
		i, err = c.container.stored(r, epk, key, c.route.id(2))
		return err
	})
	if problem != nil {
		return c.internal(problem)
	}
	c.charge = chargeRead(0)
	if i == nil || i.expired(def.defaultTTL, c.s.now().Unix()) {
		c.stamp(epk, lsn)
		return notFound(c.route.id(2))
	}
	c.charge = chargeRead(i.size())
	c.stampItem(i, max(lsn, i.lsn))
	if c.unchanged(i.etag.etag()) {
		c.out.etag = i.etag.etag()
		c.replyNothing(http.StatusNotModified)
		return nil
	}
	c.replyItem(http.StatusOK, i)
	return nil
}
