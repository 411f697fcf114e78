package cosmos

import "github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"

// listContainers lists a database's containers.
func (c *call) listContainers() *Error {
	c.charge = chargeMetadataRead
	c.replyFeed("DocumentCollections", c.database.rid, c.containerResources())
	return nil
}

// containerResources are the database's containers as the service answers them.
func (c *call) containerResources() []doc.Value {
	var all []doc.Value
	for _, one := range c.s.catalog.containersOf(c.database) {
		all = append(all, one.resource())
	}
	return all
}
