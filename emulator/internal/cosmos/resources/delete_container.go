package resources

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// DeleteContainer deletes a container with all that it holds.
func DeleteContainer(c *operation.Call) *wire.Error {
	all, one := &c.Account.Catalog, c.Container
	if err := c.CheckMatch(one.Definition.Load().ETag); err != nil {
		return err
	}
	if problem := all.Changing.Close(c.Ctx); problem != nil {
		return c.Internal(problem)
	}
	defer all.Changing.Open()
	if one.Database.ByRID[one.RID] != one {
		return wire.NotFound(one.Name)
	}
	if err := c.Account.Store.UpdateContext(c.Ctx, store.Latch().Alone(one.Gate), one.Drop); err != nil {
		return c.Internal(err)
	}
	all.Forget(one)
	c.Charge = throughput.ChargeMetadataWrite
	c.ReplyNothing(http.StatusNoContent)
	return nil
}
