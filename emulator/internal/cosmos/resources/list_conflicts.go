package resources

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/query"
	sqlplan "github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/plan"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// ListConflicts lists a container's conflicts. The list is always empty: with one write region there are no conflicts.
func ListConflicts(c *operation.Call) *wire.Error {
	return operation.Do(c, query.ReadList, runListConflicts)
}

// QueryConflicts is ListConflicts for a query. Like a query of items, it needs a partition key or must enable
// cross-partition queries.
func QueryConflicts(c *operation.Call) *wire.Error {
	return operation.Do(c, readConflictsQuery, runListConflicts)
}

func readConflictsQuery(r *operation.Request, container *engine.Container) (query.List, *wire.Error) {
	if r.Header("X-Ms-Documentdb-Partitionkey") == "" && !r.Flag("X-Ms-Documentdb-Query-Enablecrosspartition") {
		return query.List{}, wire.BadRequest("%s", sqlplan.NotEnabled)
	}
	return query.ReadList(r, container)
}

func runListConflicts(r *operation.Run, in query.List) *wire.Error {
	return in.Reply(r, "Conflicts", r.Container.RID, nil)
}

// ReadConflict always returns NotFound: there are no conflicts.
func ReadConflict(c *operation.Call) *wire.Error { return wire.NotFound(c.Route.Last()) }
