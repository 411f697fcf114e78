package items

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
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
	work := budget.New(r.Ctx, budget.Limits{Pool: r.Account.Pool})
	defer work.Close()
	for more := true; more; {
		var err error
		if more, err = work.Pace(func() (bool, error) { return deleteBatch(r, key) }); err != nil {
			return r.Internal(err)
		}
	}
	r.Charge = throughput.ChargeRead(0)
	r.ReplyNothing(http.StatusOK)
	return nil
}

// deleteBatch deletes some of the items, and reports whether there may be others.
func deleteBatch(r *operation.Run, key doc.PartitionKey) (more bool, err error) {
	t, refused := r.Transact(key, func(t *engine.Transaction) (err *wire.Error) {
		more, err = t.DeleteItems(deleteBatchSize)
		return err
	})
	if refused != nil {
		return false, refused
	}
	r.SetPartitionHeaders(t.EPK, max(t.LSN, r.Container.Sequence.Floor()))
	return more, nil
}

// deleteBatchSize is the number of items deleted in one transaction. It takes about 2 ms.
const deleteBatchSize = 100
