package resources

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// DeleteDatabase deletes a database and all its containers.
func DeleteDatabase(c *operation.Call) *wire.Error {
	return operation.Do(c, readConditions, runDeleteDatabase)
}

func runDeleteDatabase(r *operation.Run, want engine.Conditions) *wire.Error {
	if err := want.CheckMatch(r.Database.ETag); err != nil {
		return err
	}
	if err := r.Account.DeleteDatabase(r.Ctx, r.Database); err != nil {
		return r.Internal(err)
	}
	r.Charge = throughput.ChargeMetadataWrite
	r.ReplyNothing(http.StatusNoContent)
	return nil
}
