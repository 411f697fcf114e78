package sql

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/builtin"
)

// compiler makes closures of a tree. After its first error it goes on, to find the others, but what it makes means
// nothing.
type compiler struct {
	params    Params
	slots     int // of a frame, so far
	scope     *scope
	documents map[int]bool // the slots that hold whole documents
	container bool         // whether a FROM clause may name the container
	computes  bool         // the expression may make numbers that no document holds
	varies    bool         // the expression reads documents, or calls what may give another value each time
	err       *Error
}

// mostErrors is how many errors of one query are told.
const mostErrors = 50

// fail notes an error, of a place once.
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
	if len(c.err.More) < mostErrors-1 {
		c.err.More = append(c.err.More, err)
	}
}

func (c *compiler) slot() int {
	c.slots++
	return c.slots - 1
}

// scope is the aliases of a query; those of the query around it are seen through it.
type scope struct {
	outer *scope
	names map[string]int // to slots
	group *grouping      // not nil while what is compiled stands behind the query's grouping
}

// lookup finds an alias, and the grouping that it may be seen through only.
func (s *scope) lookup(name string) (slot int, group *grouping, ok bool) {
	for ; s != nil; s = s.outer {
		if slot, ok := s.names[name]; ok {
			return slot, s.group, true
		}
	}
	return 0, nil, false
}

// grouping is what a query with GROUP BY or aggregates sees of its rows.
type grouping struct {
	keys map[string]int // GROUP BY's expressions by ast.Key, to slots
	aggs []aggregate
}

// aggregate is an aggregate function's call: its argument for each row, its result's slot.
type aggregate struct {
	name string
	arg  eval
	slot int

	gathers bool // it holds its arguments
}

// grouped looks whether an expression is one that a GROUP BY around it has.
func (c *compiler) grouped(e ast.Expr) (slot int, ok bool) {
	key := ""
	for s := c.scope; s != nil; s = s.outer {
		if s.group == nil || len(s.group.keys) == 0 {
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

func isAggregate(e *ast.Call) bool {
	if e.UDF {
		return false
	}
	_, ok := builtin.NewAggregate(e.Name)
	return ok
}

// aggregateIn finds the first call of an aggregate function in an expression, subqueries left out.
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
