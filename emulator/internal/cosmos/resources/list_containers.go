package resources

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/query"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// ListContainers lists a database's containers, or answers a query over them.
func ListContainers(c *operation.Call) *wire.Error {
	var all []doc.Value
	for _, one := range c.Account.Catalog.ContainersOf(c.Database) {
		all = append(all, one.Resource())
	}
	return query.ReplyList(c, "DocumentCollections", c.Database.RID, all)
}
