package cosmos

import "net/http"

// readChild reads a script, a user or a permission.
func readChild(c *call) *Error {
	s, err := c.childSet()
	if err != nil {
		return err
	}
	one, err := c.findChild(s, c.route.last())
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
	return c.replyChild(http.StatusOK, s, one)
}
