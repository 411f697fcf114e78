package cosmos

import "github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"

// listDatabases lists the account's databases.
func (c *call) listDatabases() *Error {
	c.charge = chargeMetadataRead
	c.replyFeed("Databases", "", c.databaseResources())
	return nil
}

// databaseResources are the databases as the service answers them.
func (c *call) databaseResources() []doc.Value {
	var all []doc.Value
	for _, d := range c.s.catalog.all() {
		all = append(all, d.resource())
	}
	return all
}
