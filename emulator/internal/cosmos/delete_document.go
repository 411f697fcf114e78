package cosmos

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// deleteDocument deletes an item by its partition key and id.
func deleteDocument(c *call) *Error {
	key, err := c.partitionKey()
	if err != nil {
		return err
	}
	var old *item
	run, err := c.findTriggers("Delete")
	if err != nil {
		return err
	}
	t, err := run.transact(c, key, func(t *transaction) (err *Error) {
		v, err := run.document(t, doc.Object(), c.itemID())
		if err != nil {
			return err
		}
		if _, err = run.before(t, v, nil); err != nil {
			return err
		}
		if old, err = t.delete(c.itemID(), c.conditions()); err != nil {
			return err
		}
		return run.after(t, v, nil)
	})
	if err != nil {
		return err
	}
	c.setItemHeaders(old, t.lsn)
	c.replyNothing(http.StatusNoContent)
	return nil
}
