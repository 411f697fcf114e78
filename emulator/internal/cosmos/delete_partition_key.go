package cosmos

import "net/http"

// deletePartitionKey deletes all items of a logical partition. The service does so in the background, and hides them at once
// ("Delete items by partition key value"); here they are gone when it answers. They are deleted step by step: an item that is
// written meanwhile may stay.
func deletePartitionKey(c *call) *Error {
	if c.route.last() != "partitionkeydelete" {
		return invalidInput("There is no operation %s.", c.route.last())
	}
	key, err := c.partitionKey()
	if err != nil {
		return err
	}
	for {
		more := false
		t, err := c.transact(key, func(t *transaction) (err *Error) {
			more, err = t.clear(deleteStep)
			return err
		})
		if err != nil {
			return err
		}
		if !more {
			c.setPartitionHeaders(t.epk, max(t.lsn, c.container.sequence.floor()))
			break
		}
		if c.ctx.Err() != nil {
			return unavailable()
		}
	}
	c.charge = chargeRead(0)
	c.replyNothing(http.StatusOK)
	return nil
}

// deleteStep is how many items are deleted in one transaction.
const deleteStep = 1000
