package sql

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/builtin"
)

// compiler compiles a tree to closures. After the first error it continues, to find further errors, but the result is
// useless.
type compiler struct {
	params     Params
	slots      int // of a frame, so far
	scope      *scope
	documents  map[int]bool                // slots that contain whole documents
	properties map[string]compiledProperty // computed properties that the query uses, by name
	sizes      map[ast.Expr]int            // of expressions that are compared with those of GROUP BY
	container  bool                        // FROM may name the container
	computes   bool                        // the expression may yield numbers that occur in no document
	varies     bool                        // the expression reads documents, or calls functions whose results vary
	err        *Error
}

// maxErrors is the maximum number of errors reported per query.
const maxErrors = 50

// fail records an error, once per code and position.
func (c *compiler) fail(err *Error) {
	if c.err == nil {
		c.err = err
		return
	}
	for _, known := range append(c.err.More, c.err) {
		if known.Code == err.Code && known.Start == err.Start {
			return
		}
	}
	if len(c.err.More) < maxErrors-1 {
		c.err.More = append(c.err.More, err)
	}
}

func (c *compiler) slot() int {
	c.slots++
	return c.slots - 1
}

// scope is the set of a query's aliases. Those of the enclosing queries are visible too.
type scope struct {
	outer *scope
	names map[string]int // to slots
	group *grouping      // set while compiling clauses that follow the grouping
}

// lookup finds an alias and the grouping through which it must be accessed.
func (s *scope) lookup(name string) (slot int, group *grouping, ok bool) {
	for ; s != nil; s = s.outer {
		if slot, ok := s.names[name]; ok {
			return slot, s.group, true
		}
	}
	return 0, nil, false
}

// grouping is the state of a query with GROUP BY or aggregates.
type grouping struct {
	keys  map[string]int // GROUP BY expressions, by ast.Key, to slots
	sizes map[int]bool   // of these expressions
	aggs  []aggregate
}

// aggregate is a call of an aggregate function: its argument per row, and the slot of its result.
type aggregate struct {
	name string
	arg  eval
	slot int

	copies int // of each argument that it keeps
}

// grouped reports whether an expression is a key of an enclosing GROUP BY, and its slot.
func (c *compiler) grouped(e ast.Expr) (slot int, ok bool) {
	key := ""
	for s := c.scope; s != nil; s = s.outer {
		if s.group == nil || len(s.group.keys) == 0 || !s.group.sizes[c.size(e)] {
			continue
		}
		if key == "" {
			key = ast.Key(e)
		}
		if slot, ok := s.group.keys[key]; ok {
			return slot, true
		}
	}
	return 0, false
}

// size returns the number of an expression's parts. Comparing it first keeps the work on a chain of operators linear.
func (c *compiler) size(e ast.Expr) int {
	if n, ok := c.sizes[e]; ok {
		return n
	}
	n := 1
	for _, part := range ast.Parts(e) {
		n += c.size(part)
	}
	if c.sizes == nil {
		c.sizes = map[ast.Expr]int{}
	}
	c.sizes[e] = n
	return n
}

func isAggregate(e *ast.Call) bool {
	if e.UDF {
		return false
	}
	_, ok := builtin.NewAggregate(e.Name)
	return ok
}

// aggregateIn returns the first call of an aggregate function in an expression, without subqueries.
func aggregateIn(e ast.Expr) (found *ast.Call) {
	ast.Walk(e, func(e ast.Expr) bool {
		if call, ok := e.(*ast.Call); ok && found == nil && isAggregate(call) {
			found = call
		}
		_, sub := e.(*ast.Subquery)
		return found == nil && !sub
	})
	return found
}

func hasSubquery(e ast.Expr) (found bool) {
	ast.Walk(e, func(e ast.Expr) bool {
		if _, ok := e.(*ast.Subquery); ok {
			found = true
		}
		return !found
	})
	return found
}
