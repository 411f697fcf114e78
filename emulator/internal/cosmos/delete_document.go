package cosmos

import "net/http"

// deleteDocument deletes an item by its partition key and id.
func (c *call) deleteDocument() *Error {
	key, err := c.wholeKey()
	if err != nil {
		return err
	}
	var old *item
	t, err := c.transact(key, func(t *transaction) (err *Error) {
		old, err = t.delete(c.route.id(2), c.conditions())
		return err
	})
	if err != nil {
		return err
	}
	c.stampItem(old, t.lsn)
	c.replyNothing(http.StatusNoContent)
	return nil
}
