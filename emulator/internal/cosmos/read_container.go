package cosmos

import (
	"fmt"
	"net/http"
)

// readContainer reads a container.
func readContainer(c *call) *Error {
	c.charge = chargeMetadataRead
	c.addUsage()
	if c.unchanged(c.container.definition.Load().etag) {
		c.replyNothing(http.StatusNotModified)
		return nil
	}
	c.replyContainer(http.StatusOK, c.container)
	return nil
}

// quota is what a container may hold, in kilobytes, as live accounts answer it.
const quota = "documentSize=10240;documentsSize=10485760;documentsCount=-1;collectionSize=10485760;"

// addUsage answers, where x-ms-documentdb-populatequotainfo asks for it, what the container holds and how far a change of the
// indexing policy has come, in per cent: to its end, for indexes are made for the queries that want them.
func (c *call) addUsage() {
	if !c.flag("X-Ms-Documentdb-Populatequotainfo") {
		return
	}
	c.out.set("x-ms-documentdb-collection-index-transformation-progress", "100")
	c.out.set("x-ms-resource-quota", quota)
	c.out.set("x-ms-resource-usage", c.container.usage())
}

// usage is what the container holds, in kilobytes.
func (c *container) usage() string {
	items, bytes := int64(0), int64(0)
	for _, p := range c.partitions() {
		items, bytes = items+p.items.Load(), bytes+p.bytes.Load()
	}
	size := (bytes + kilobyte - 1) / kilobyte
	return fmt.Sprintf("documentSize=%d;documentsSize=%d;documentsCount=%d;collectionSize=%d;", size/kilobyte, size, items, size)
}
