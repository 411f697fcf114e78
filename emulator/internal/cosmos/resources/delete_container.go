package resources

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// DeleteContainer deletes a container and all its content.
func DeleteContainer(c *operation.Call) *wire.Error {
	return operation.Do(c, readConditions, runDeleteContainer)
}

func runDeleteContainer(r *operation.Run, want engine.Conditions) *wire.Error {
	if err := want.CheckMatch(r.Container.Definition.Load().ETag); err != nil {
		return err
	}
	if err := r.Account.DeleteContainer(r.Ctx, r.Container); err != nil {
		return r.Internal(err)
	}
	r.Charge = throughput.ChargeMetadataWrite
	r.ReplyNothing(http.StatusNoContent)
	return nil
}
