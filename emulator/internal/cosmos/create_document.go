package cosmos

import "net/http"

// createDocument makes an item; as an upsert, it replaces one that is there.
func (c *call) createDocument() *Error {
	v, err := c.document()
	if err != nil {
		return err
	}
	made, key, err := c.item(v)
	if err != nil {
		return err
	}
	status, upsert := http.StatusCreated, c.flag("X-Ms-Documentdb-Is-Upsert")
	t, err := c.transact(key, func(t *transaction) *Error {
		if !upsert {
			return t.create(made)
		}
		old, err := t.upsert(made, c.conditions())
		if old != nil {
			status = http.StatusOK
		}
		return err
	})
	if err != nil {
		return err
	}
	c.written(status, t, made)
	return nil
}
