package resources

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/query"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// ListDatabases lists the account's databases, or runs a query over them.
func ListDatabases(c *operation.Call) *wire.Error {
	return operation.Do(c, query.ReadList, runListDatabases)
}

func runListDatabases(r *operation.Run, in query.List) *wire.Error {
	var all []doc.Value
	for _, d := range r.Account.Catalog.Databases() {
		all = append(all, d.Resource())
	}
	return in.Reply(r, "Databases", "", all)
}
