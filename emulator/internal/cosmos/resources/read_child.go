package resources

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// ReadChild reads a script, a user, a permission or a client encryption key.
func ReadChild(c *operation.Call) *wire.Error { return operation.Do(c, readChildPath, runReadChild) }

func runReadChild(r *operation.Run, in childInput) *wire.Error {
	s := childSet(r, in.kind)
	child, err := r.FindChild(s, in.id)
	if err != nil {
		return err
	}
	r.Charge = throughput.ChargeMetadataRead
	if child == nil {
		return wire.NotFound(in.id)
	}
	if in.conditions.NotModified(child.ETag) {
		r.Out.ETag = child.ETag
		r.ReplyNothing(http.StatusNotModified)
		return nil
	}
	return in.reply(r, http.StatusOK, s, child)
}
