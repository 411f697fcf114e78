package cosmos

import "net/http"

// deleteDocument deletes an item by its partition key and id.
func (c *call) deleteDocument() *Error {
	key, err := c.wholeKey()
	if err != nil {
		return err
	}
	id := c.route.id(2)
	var old *item
	t, err := c.container.write(key, func(t *transaction) *Error {
		if old, err = t.read(id); err != nil {
			return err
		}
		if old == nil {
			return notFound(id)
		}
		if err := c.checkMatch(old.etag.etag()); err != nil {
			return err
		}
		return t.remove(id)
	})
	if err != nil {
		return err
	}
	c.charge = chargeWrite(old.size())
	c.stampItem(old, t.lsn)
	c.replyNothing(http.StatusNoContent)
	return nil
}
