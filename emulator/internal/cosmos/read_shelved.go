package cosmos

import "net/http"

// readShelved reads a script, a user or a permission.
func (c *call) readShelved() *Error {
	s, err := c.shelf()
	if err != nil {
		return err
	}
	one, err := c.findShelved(s, c.route.last())
	if err != nil {
		return err
	}
	c.charge = chargeMetadataRead
	if one == nil {
		return notFound(c.route.last())
	}
	if c.unchanged(one.etag) {
		c.out.etag = one.etag
		c.replyNothing(http.StatusNotModified)
		return nil
	}
	return c.replyShelved(http.StatusOK, s, one)
}
