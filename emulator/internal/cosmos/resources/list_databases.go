package resources

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/query"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// ListDatabases lists the account's databases, or answers a query over them.
func ListDatabases(c *operation.Call) *wire.Error {
	var all []doc.Value
	for _, d := range c.Account.Catalog.All() {
		all = append(all, d.Resource())
	}
	return query.ReplyList(c, "Databases", "", all)
}
