package advice

import (
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// fromClause matches the table, and the index if there is one, that a statement of PartiQL reads.
var fromClause = lazyregexp.New(`(?i)\bfrom\s+("[^"]+"|\w+)(?:\.("[^"]+"|\w+))?`)

// isSelect reports whether a statement reads.
func isSelect(statement string) bool {
	word, _, _ := strings.Cut(strings.TrimSpace(statement), " ")
	return strings.EqualFold(word, "SELECT")
}

// source returns the table and the index that a query, a scan or a statement reads.
func (r *Request) source() (table, index string) {
	if m := fromClause.FindStringSubmatch(r.text("Statement")); m != nil {
		return tableName(strings.Trim(m[1], `"`)), strings.Trim(m[2], `"`)
	}
	return r.table(), r.text("IndexName")
}
