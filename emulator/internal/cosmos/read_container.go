package cosmos

import (
	"fmt"
	"net/http"
)

// readContainer reads a container.
func (c *call) readContainer() *Error {
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

// addUsage answers what the container holds, in kilobytes, where x-ms-documentdb-populatequotainfo asks for it, and how far a
// change of the indexing policy has come, in per cent: to its end, for indexes are made for the queries that want them.
func (c *call) addUsage() {
	c.out.set("x-ms-documentdb-collection-index-transformation-progress", "100")
	if !c.flag("X-Ms-Documentdb-Populatequotainfo") {
		return
	}
	items, bytes := int64(0), int64(0)
	for _, p := range c.container.partitions() {
		items, bytes = items+p.items.Load(), bytes+p.bytes.Load()
	}
	size := (bytes + kilobyte - 1) / kilobyte
	c.out.set("x-ms-resource-quota", quota)
	c.out.set("x-ms-resource-usage", fmt.Sprintf("documentSize=%d;documentsSize=%d;documentsCount=%d;collectionSize=%d;", size/kilobyte, size, items, size))
}
