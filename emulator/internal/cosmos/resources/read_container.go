package resources

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// ReadContainer reads a container.
func ReadContainer(c *operation.Call) *wire.Error {
	c.Charge = throughput.ChargeMetadataRead
	addUsage(c)
	if c.Unchanged(c.Container.Definition.Load().ETag) {
		c.ReplyNothing(http.StatusNotModified)
		return nil
	}
	replyContainer(c, http.StatusOK, c.Container)
	return nil
}

// addUsage answers, where x-ms-documentdb-populatequotainfo asks for it, what the container holds and how far a change of the
// indexing policy has come, in per cent: to its end, for indexes are made for the queries that want them.
func addUsage(c *operation.Call) {
	if !c.Flag("X-Ms-Documentdb-Populatequotainfo") {
		return
	}
	c.Out.Set("x-ms-documentdb-collection-index-transformation-progress", "100")
	c.Out.Set("x-ms-resource-quota", engine.Quota)
	c.Out.Set("x-ms-resource-usage", c.Container.Usage())
}
