package cosmos

import "github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"

// listContainers lists a database's containers, or answers a query over them.
func listContainers(c *call) *Error {
	var all []doc.Value
	for _, one := range c.account.catalog.containersOf(c.database) {
		all = append(all, one.resource())
	}
	return c.replyList("DocumentCollections", c.database.rid, all)
}
