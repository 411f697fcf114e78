package cosmos

import "net/http"

// replaceDocument replaces an item that is there.
func replaceDocument(c *call) *Error {
	v, err := c.readDocumentBody()
	if err != nil {
		return err
	}
	made, key, err := c.readItemToWrite(v)
	if err != nil {
		return err
	}
	run, err := c.findTriggers("Replace")
	if err != nil {
		return err
	}
	given := made
	t, err := run.transact(c, key, func(t *transaction) *Error {
		seen, err := run.document(t, v, c.itemID())
		if err != nil {
			return err
		}
		if made, err = run.before(t, seen, given); err != nil {
			return err
		}
		if err = c.checkNewID(made.id); err != nil {
			return err
		}
		if _, err = t.replace(c.itemID(), made, c.conditions()); err != nil {
			return err
		}
		return run.after(t, seen, made)
	})
	if err != nil {
		return err
	}
	c.replyWritten(http.StatusOK, t, made)
	run.reply()
	return nil
}
