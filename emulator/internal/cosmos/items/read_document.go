package items

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// ReadDocument reads an item by its partition key and id.
func ReadDocument(c *operation.Call) *wire.Error {
	key, err := c.PartitionKey()
	if err != nil {
		return err
	}
	if err := c.ChooseReplica(); err != nil {
		return err
	}
	def := c.Container.Definition.Load()
	epk := def.Key.EPK(key)
	if err := c.Admit(epk); err != nil {
		return err
	}
	lsn := c.ReplicaLSN()
	now, living := c.Account.Now().Unix(), false
	c.Charge = c.ReadCost(throughput.ChargeRead(0))
	found, problem := c.Point(c.Container.IdentityKey(epk, key, c.ItemID()), func(i *engine.Item) error {
		if living = !i.Expired(def.DefaultTTL, now); living {
			answerRead(c, i, max(lsn, i.LSN))
		}
		return nil
	})
	if problem != nil {
		return c.Internal(problem)
	}
	if !found || !living {
		c.SetPartitionHeaders(epk, lsn)
		return wire.NotFound(c.ItemID())
	}
	return nil
}

// answerRead answers an item, or that the client has it.
func answerRead(c *operation.Call, i *engine.Item, lsn uint64) {
	c.Charge = c.ReadCost(throughput.ChargeRead(i.Size()))
	c.SetItemHeaders(i, lsn)
	if c.Header("If-None-Match") != "" && c.Unchanged(i.ETag.ETag()) {
		c.Out.ETag = i.ETag.ETag()
		c.ReplyNothing(http.StatusNotModified)
		return
	}
	c.ReplyItem(http.StatusOK, i)
}
