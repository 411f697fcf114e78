package cosmos

import (
	"net/http"
)

// createDocument makes an item; as an upsert, it replaces one that is there.
func (c *call) createDocument() *Error {
	v, err := c.object()
	if err != nil {
		return err
	}
	key, err := c.keyOf(v)
	if err != nil {
		return err
	}
	upsert := c.flag("X-Ms-Documentdb-Is-Upsert")
	status := http.StatusCreated
	var made *item
	t, err := c.container.write(key, func(t *transaction) *Error {
		if made, err = newItem(t.def, v); err != nil {
			return err
		}
		old, err := t.read(made.id)
		if err != nil {
			return err
		}
		if old != nil {
			if !upsert {
				return conflict()
			}
			if err := c.checkMatch(old.etag.etag()); err != nil {
				return err
			}
			status = http.StatusOK
		}
		return t.put(made)
	})
	if err != nil {
		return err
	}
	c.charge = chargeWrite(made.size())
	c.stampItem(made, t.lsn)
	c.replyItem(status, made)
	return nil
}
