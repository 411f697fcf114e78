package cosmos

import sqlplan "github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/plan"

// listConflicts lists a container's conflicts. There are none: writes of one region do not conflict.
func listConflicts(c *call) *Error { return c.replyList("Conflicts", c.container.rid, nil) }

// queryConflicts is listConflicts for a query, which has to say whose conflicts it wants, as one of items has.
func queryConflicts(c *call) *Error {
	if c.header("X-Ms-Documentdb-Partitionkey") == "" && !c.flag("X-Ms-Documentdb-Query-Enablecrosspartition") {
		return badRequest("%s", sqlplan.NotEnabled)
	}
	return listConflicts(c)
}

// readConflict finds no conflict.
func readConflict(c *call) *Error { return notFound(c.route.last()) }
