package cosmos

import "net/http"

// replaceDocument replaces an item that is there.
func (c *call) replaceDocument() *Error {
	v, err := c.object()
	if err != nil {
		return err
	}
	key, err := c.keyOf(v)
	if err != nil {
		return err
	}
	id := c.route.id(2)
	var made *item
	t, err := c.container.write(key, func(t *transaction) *Error {
		if made, err = newItem(t.def, v); err != nil {
			return err
		}
		if made.id != id {
			return badRequest("The id of the item in the body, %q, is not the one of the path, %q.", made.id, id)
		}
		old, err := t.read(id)
		if err != nil {
			return err
		}
		if old == nil {
			return notFound(id)
		}
		if err := c.checkMatch(old.etag.etag()); err != nil {
			return err
		}
		return t.put(made)
	})
	if err != nil {
		return err
	}
	c.charge = chargeWrite(made.size())
	c.stampItem(made, t.lsn)
	c.replyItem(http.StatusOK, made)
	return nil
}
