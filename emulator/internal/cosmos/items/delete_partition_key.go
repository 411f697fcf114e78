package items

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// DeletePartitionKey deletes all items of a logical partition. The service does so in the background, and hides them at once
// ("Delete items by partition key value"); here they are gone when it answers. They are deleted step by step: an item that is
// written meanwhile may stay.
func DeletePartitionKey(c *operation.Call) *wire.Error {
	if c.Route.Last() != "partitionkeydelete" {
		return wire.InvalidInput("There is no operation %s.", c.Route.Last())
	}
	key, err := c.PartitionKey()
	if err != nil {
		return err
	}
	for {
		more := false
		t, err := c.Transact(key, func(t *engine.Transaction) (err *wire.Error) {
			more, err = t.Clear(deleteStep)
			return err
		})
		if err != nil {
			return err
		}
		if !more {
			c.SetPartitionHeaders(t.EPK, max(t.LSN, c.Container.Sequence.Floor()))
			break
		}
		if c.Ctx.Err() != nil {
			return wire.Unavailable()
		}
	}
	c.Charge = throughput.ChargeRead(0)
	c.ReplyNothing(http.StatusOK)
	return nil
}

// deleteStep is how many items are deleted in one transaction.
const deleteStep = 1000
