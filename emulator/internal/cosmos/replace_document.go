package cosmos

import "net/http"

// replaceDocument replaces an item that is there.
func (c *call) replaceDocument() *Error {
	v, err := c.document()
	if err != nil {
		return err
	}
	made, key, err := c.item(v)
	if err != nil {
		return err
	}
	t, err := c.transact(key, func(t *transaction) *Error {
		_, err := t.replace(c.route.id(2), made, c.conditions())
		return err
	})
	if err != nil {
		return err
	}
	c.written(http.StatusOK, t, made)
	return nil
}
