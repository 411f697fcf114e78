package items

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// DeletePartitionKey deletes all items of a logical partition. The service does this in the background and hides the
// items at once ("Delete items by partition key value"); here they are deleted before the response. They are deleted in
// several transactions, so an item written in between may remain.
func DeletePartitionKey(c *operation.Call) *wire.Error {
	return operation.Do(c, readDeletion, runDeletion)
}

func readDeletion(r *operation.Request, container *engine.Container) (doc.PartitionKey, *wire.Error) {
	if r.Route.Last() != "partitionkeydelete" {
		return nil, wire.InvalidInput("There is no operation %s.", r.Route.Last())
	}
	return r.PartitionKey(container.Definition.Load())
}

func runDeletion(r *operation.Run, key doc.PartitionKey) *wire.Error {
	for {
		more := false
		t, err := r.Transact(key, func(t *engine.Transaction) (err *wire.Error) {
			more, err = t.DeleteItems(deleteBatchSize)
			return err
		})
		if err != nil {
			return err
		}
		if !more {
			r.SetPartitionHeaders(t.EPK, max(t.LSN, r.Container.Sequence.Floor()))
			break
		}
		if r.Ctx.Err() != nil {
			return wire.Unavailable()
		}
	}
	r.Charge = throughput.ChargeRead(0)
	r.ReplyNothing(http.StatusOK)
	return nil
}

// deleteBatchSize is the number of items deleted in one transaction.
const deleteBatchSize = 1000
