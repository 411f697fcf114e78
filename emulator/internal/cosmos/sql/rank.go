package sql

import "github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"

// rank compiles ORDER BY RANK.
func (c *compiler) rank(b *block, q *ast.Query) {
	c.fail(faultRankCall.at(q.OrderBy.Span))
}
