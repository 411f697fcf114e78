package cosmos

import "net/http"

// createDocument makes an item; as an upsert, it replaces one that is there.
func createDocument(c *call) *Error {
	v, err := c.readDocumentBody()
	if err != nil {
		return err
	}
	made, key, err := c.readItemToWrite(v)
	if err != nil {
		return err
	}
	status, upsert, operation := http.StatusCreated, c.flag("X-Ms-Documentdb-Is-Upsert"), "Create"
	if upsert {
		operation = "Upsert"
	}
	run, err := c.findTriggers(operation)
	if err != nil {
		return err
	}
	given := made
	t, err := run.transact(c, key, func(t *transaction) (err *Error) {
		status = http.StatusCreated
		if made, err = run.before(t, v, given); err != nil {
			return err
		}
		if !upsert {
			err = t.create(made)
		} else if old, problem := t.upsert(made, c.conditions()); problem != nil {
			err = problem
		} else if old != nil {
			status = http.StatusOK
		}
		if err != nil {
			return err
		}
		return run.after(t, v, made)
	})
	if err != nil {
		return err
	}
	c.replyWritten(status, t, made)
	run.reply()
	return nil
}
