package cosmos

import "net/http"

// readDatabase reads a database.
func readDatabase(c *call) *Error {
	c.charge = chargeMetadataRead
	if c.unchanged(c.database.etag) {
		c.replyNothing(http.StatusNotModified)
		return nil
	}
	c.reply(http.StatusOK, c.database.resource())
	return nil
}
