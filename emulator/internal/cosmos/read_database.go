package cosmos

import "net/http"

// readDatabase reads a database.
func (c *call) readDatabase() *Error {
	c.charge = chargeMetadataRead
	if c.unchanged(c.database.etag) {
		c.replyNothing(http.StatusNotModified)
		return nil
	}
	c.reply(http.StatusOK, c.database.resource())
	return nil
}
