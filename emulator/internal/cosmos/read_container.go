package cosmos

import "net/http"

// readContainer reads a container.
func (c *call) readContainer() *Error {
	c.charge = chargeMetadataRead
	if c.unchanged(c.container.definition.Load().etag) {
		c.replyNothing(http.StatusNotModified)
		return nil
	}
	c.replyContainer(http.StatusOK, c.container)
	return nil
}
