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
	return operation.Do(c, readContainer, runReadContainer)
}

type containerInput struct {
	conditions    engine.Conditions
	populateQuota bool // the client asks for the quota and the usage
}

func readContainer(r *operation.Request, _ *engine.Container) (containerInput, *wire.Error) {
	return containerInput{conditions: r.Conditions(), populateQuota: r.Flag("X-Ms-Documentdb-Populatequotainfo")}, nil
}

func runReadContainer(r *operation.Run, in containerInput) *wire.Error {
	r.Charge = throughput.ChargeMetadataRead
	if in.populateQuota {
		addUsage(r)
	}
	if in.conditions.NotModified(r.Container.Definition.Load().ETag) {
		r.ReplyNothing(http.StatusNotModified)
		return nil
	}
	replyContainer(r, http.StatusOK, r.Container)
	return nil
}

// addUsage sets the headers for the container's quota and usage, and for the progress of an index transformation, in
// percent. That is always 100, because indexes are built for the queries that need them.
func addUsage(r *operation.Run) {
	r.Out.Set("x-ms-documentdb-collection-index-transformation-progress", "100")
	r.Out.Set("x-ms-resource-quota", engine.ResourceQuota)
	r.Out.Set("x-ms-resource-usage", r.Container.ResourceUsage())
}
