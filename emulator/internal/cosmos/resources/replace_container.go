package resources

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/index"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// ReplaceContainer replaces the definition of a container.
func ReplaceContainer(c *operation.Call) *wire.Error {
	return operation.Do(c, readDefinition, runReplaceContainer)
}

func runReplaceContainer(r *operation.Run, in definitionInput) *wire.Error {
	def := in.definition
	if err := index.CheckBoundingBoxes(def.Resource); err != nil {
		return err
	}
	if err := r.Account.ReplaceContainer(r.Ctx, r.Container, def, in.conditions); err != nil {
		return r.Internal(err)
	}
	r.Charge = throughput.ChargeMetadataWrite
	replyContainer(r, http.StatusOK, r.Container)
	return nil
}
