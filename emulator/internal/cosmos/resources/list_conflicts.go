package resources

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/query"
	sqlplan "github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/plan"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// ListConflicts lists a container's conflicts. There are none: writes of one region do not conflict.
func ListConflicts(c *operation.Call) *wire.Error {
	return query.ReplyList(c, "Conflicts", c.Container.RID, nil)
}

// QueryConflicts is ListConflicts for a query, which has to say whose conflicts it wants, as one of items has.
func QueryConflicts(c *operation.Call) *wire.Error {
	if c.Header("X-Ms-Documentdb-Partitionkey") == "" && !c.Flag("X-Ms-Documentdb-Query-Enablecrosspartition") {
		return wire.BadRequest("%s", sqlplan.NotEnabled)
	}
	return ListConflicts(c)
}

// ReadConflict finds no conflict.
func ReadConflict(c *operation.Call) *wire.Error { return wire.NotFound(c.Route.Last()) }
