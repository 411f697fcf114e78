package items

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/scripts"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// DeleteDocument deletes an item by its partition key and id.
func DeleteDocument(c *operation.Call) *wire.Error {
	key, err := c.PartitionKey()
	if err != nil {
		return err
	}
	var old *engine.Item
	run, err := scripts.FindTriggers(c, "Delete")
	if err != nil {
		return err
	}
	t, err := run.Transact(c, key, func(t *engine.Transaction) (err *wire.Error) {
		v, err := run.Document(t, doc.Object(), c.ItemID())
		if err != nil {
			return err
		}
		if _, err = run.Before(t, v, nil); err != nil {
			return err
		}
		if old, err = t.Delete(c.ItemID(), c.Conditions()); err != nil {
			return err
		}
		return run.After(t, v, nil)
	})
	if err != nil {
		return err
	}
	c.SetItemHeaders(old, t.LSN)
	c.ReplyNothing(http.StatusNoContent)
	return nil
}
