package resources

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// DeleteContainer deletes a container with all that it holds.
func DeleteContainer(c *operation.Call) *wire.Error {
	return operation.Do(c, readConditions, runDeleteContainer)
}

func runDeleteContainer(r *operation.Run, want engine.Conditions) *wire.Error {
	all, one := &r.Account.Catalog, r.Container
	if err := want.CheckMatch(one.Definition.Load().ETag); err != nil {
		return err
	}
	if problem := all.Changing.Close(r.Ctx); problem != nil {
		return r.Internal(problem)
	}
	defer all.Changing.Open()
	if one.Database.ByRID[one.RID] != one {
		return wire.NotFound(one.Name)
	}
	if err := r.Account.Store.UpdateContext(r.Ctx, store.Latch().Alone(one.Gate), one.Drop); err != nil {
		return r.Internal(err)
	}
	all.Forget(one)
	r.Charge = throughput.ChargeMetadataWrite
	r.ReplyNothing(http.StatusNoContent)
	return nil
}
