package resources

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/query"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// ListContainers lists a database's containers, or runs a query over them.
func ListContainers(c *operation.Call) *wire.Error {
	return operation.Do(c, query.ReadList, runListContainers)
}

func runListContainers(r *operation.Run, in query.List) *wire.Error {
	var all []doc.Value
	for _, container := range r.Account.Catalog.Containers(r.Database) {
		all = append(all, container.Resource())
	}
	return in.Reply(r, "DocumentCollections", r.Database.RID, all)
}
