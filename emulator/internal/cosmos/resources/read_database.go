package resources

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// ReadDatabase reads a database.
func ReadDatabase(c *operation.Call) *wire.Error {
	return operation.Do(c, readConditions, runReadDatabase)
}

func runReadDatabase(r *operation.Run, have engine.Conditions) *wire.Error {
	r.Charge = throughput.ChargeMetadataRead
	if have.NotModified(r.Database.ETag) {
		r.ReplyNothing(http.StatusNotModified)
		return nil
	}
	r.Reply(http.StatusOK, r.Database.Resource())
	return nil
}

// readConditions reads a request whose only input is its conditions.
func readConditions(r *operation.Request, _ *engine.Container) (engine.Conditions, *wire.Error) {
	return r.Conditions(), nil
}
