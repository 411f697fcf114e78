package cosmos

import sqlplan "github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/plan"

// listConflicts lists a container's conflicts. There are none: writes of one region do not conflict.
func (c *call) listConflicts() *Error { return c.replyList("Conflicts", c.container.rid, nil) }

// queryConflicts is listConflicts for a query, which has to say whose conflicts it wants, as one of items has.
func (c *call) queryConflicts() *Error {
	if c.header("X-Ms-Documentdb-Partitionkey") == "" && !c.flag("X-Ms-Documentdb-Query-Enablecrosspartition") {
		return badRequest("%s", sqlplan.NotEnabled)
	}
	return c.listConflicts()
}

// readConflict finds no conflict.
func (c *call) readConflict() *Error { return notFound(c.route.last()) }
