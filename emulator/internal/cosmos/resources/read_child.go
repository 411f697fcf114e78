package resources

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// ReadChild reads a script, a user or a permission.
func ReadChild(c *operation.Call) *wire.Error {
	s, err := childSet(c)
	if err != nil {
		return err
	}
	one, err := c.FindChild(s, c.Route.Last())
	if err != nil {
		return err
	}
	c.Charge = throughput.ChargeMetadataRead
	if one == nil {
		return wire.NotFound(c.Route.Last())
	}
	if c.Unchanged(one.ETag) {
		c.Out.ETag = one.ETag
		c.ReplyNothing(http.StatusNotModified)
		return nil
	}
	return replyChild(c, http.StatusOK, s, one)
}
