package plan

import (
	"math"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// counts evaluates TOP, OFFSET and LIMIT, which are numbers in a plan.
func (b *builder) counts() (err error) {
	if b.Query.From == nil {
		return nil // one row, which needs no partition
	}
	if b.top, err = b.count(b.Query.Select.Top, "SC2060",
		"The count value provided for a TOP clause must be an integer."); err != nil {
		return err
	}
	window := b.Query.OffsetLimit
	if window == nil {
		return nil
	}
	b.offset, err = b.count(&window.Offset, "SC2062", "The OFFSET count value exceeds the maximum allowed value.")
	if err != nil {
		return err
	}
	b.limit, err = b.count(&window.Limit, "SC2061", "The LIMIT count value exceeds the maximum allowed value.")
	return err
}

func (b *builder) count(c *ast.Count, code, message string) (*int64, error) {
	if c == nil {
		return nil, nil
	}
	n := float64(c.N)
	if c.Param != "" {
		n = -1
		if v := b.Parameters[c.Param]; v.Kind().String() == "number" {
			n = v.Float()
		}
	}
	if n < 0 || n > math.MaxUint32 || n != math.Trunc(n) {
		return nil, &Error{Code: code, Message: message}
	}
	whole := int64(n)
	return &whole, nil
}

// literal returns a count as a literal for a rewritten query.
func literal(n *int64) *ast.Count {
	if n == nil {
		return nil
	}
	return &ast.Count{N: *n}
}

// withoutWindow returns the query without TOP and OFFSET LIMIT, for queries where these only apply to merged rows.
func (b *builder) withoutWindow() *ast.Query {
	q := *b.Query
	q.Select.Top, q.OffsetLimit = nil, nil
	return &q
}

// widenLimit returns q with a TOP or LIMIT that yields, in each partition, all rows that the merged result may need.
func (b *builder) widenLimit(q *ast.Query) *ast.Query {
	wide := *q
	wide.Select.Top = literal(b.top)
	if b.limit != nil {
		wide.OffsetLimit = &ast.OffsetLimit{Limit: ast.Count{N: min(*b.offset+*b.limit, math.MaxUint32)}}
	}
	return &wide
}
