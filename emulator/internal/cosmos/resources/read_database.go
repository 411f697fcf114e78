package resources

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// ReadDatabase reads a database.
func ReadDatabase(c *operation.Call) *wire.Error {
	c.Charge = throughput.ChargeMetadataRead
	if c.Unchanged(c.Database.ETag) {
		c.ReplyNothing(http.StatusNotModified)
		return nil
	}
	c.Reply(http.StatusOK, c.Database.Resource())
	return nil
}
