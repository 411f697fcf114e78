package plan

import (
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// key is the partition key that a filter implies. A nil component may have any value.
type key []*doc.Value

// mostKeys limits the work on filters with many keys. Beyond it, the solver returns a superset of the keys.
const mostKeys = 10_000

// solver finds the partition keys for which a filter can be true.
type solver struct {
	root       string
	paths      [][]string
	parameters map[string]doc.Value
}

// anyKey returns a key of which nothing is known.
func (s *solver) anyKey() []key { return []key{make(key, len(s.paths))} }

// keys returns the keys of items for which e can be true; nil if there are none.
func (s *solver) keys(e ast.Expr) []key {
	switch e := e.(type) {
	case *ast.Literal:
		if e.Value.IsTrue() {
			return s.anyKey()
		}
		return nil
	case *ast.Binary:
		return s.binary(e)
	case *ast.In:
		if e.Not {
			return s.anyKey()
		}
		return s.oneOf(e.X, e.List)
	case *ast.Unary:
		if e.Op == ast.Not {
			return s.equal(e.X, &ast.Literal{Value: doc.Bool(false)}) // NOT of anything but a boolean is undefined
		}
	case *ast.Call:
		return s.call(e)
	case *ast.Ident, *ast.Member:
		return s.equal(e, &ast.Literal{Value: doc.Bool(true)})
	}
	return s.anyKey()
}

func (s *solver) binary(e *ast.Binary) []key {
	switch e.Op {
	case ast.And:
		found := s.anyKey()
		for _, part := range flat(e, ast.And) {
			found = intersectKeys(found, s.keys(part))
		}
		return found
	case ast.Or:
		found := []key(nil)
		for _, part := range flat(e, ast.Or) {
			found = append(found, s.keys(part)...)
		}
		return s.limitKeys(found)
	case ast.Eq:
		return s.equal(e.L, e.R)
	}
	return s.anyKey()
}

// limitKeys replaces a list of too many keys by any key.
func (s *solver) limitKeys(found []key) []key {
	if len(found) > mostKeys {
		return s.anyKey()
	}
	return found
}

// flat returns the operands of a chain of one operator, from left to right.
func flat(e ast.Expr, op ast.BinaryOp) []ast.Expr {
	parts := []ast.Expr{}
	open := []ast.Expr{e}
	for len(open) > 0 {
		e := open[len(open)-1]
		open = open[:len(open)-1]
		if b, ok := e.(*ast.Binary); ok && b.Op == op {
			open = append(open, b.R, b.L)
			continue
		}
		parts = append(parts, e)
	}
	return parts
}

// call handles functions that are true of only a few values.
func (s *solver) call(e *ast.Call) []key {
	name := strings.ToUpper(e.Name)
	switch {
	case e.UDF:
	case name == "IS_NULL" && len(e.Args) == 1:
		return s.equal(e.Args[0], &ast.Literal{Value: doc.NullValue()})
	case name == "IS_BOOL" && len(e.Args) == 1:
		return s.oneOf(e.Args[0], []ast.Expr{&ast.Literal{Value: doc.Bool(false)}, &ast.Literal{Value: doc.Bool(true)}})
	case name == "ARRAY_CONTAINS" && len(e.Args) == 2:
		if list, ok := value(e.Args[0], s.parameters); ok && list.Kind() == doc.List {
			return s.of(e.Args[1], list.Elements())
		}
	}
	return s.anyKey()
}

// equal returns the keys for which a = b can be true.
func (s *solver) equal(a, b ast.Expr) []key {
	if v, ok := value(b, s.parameters); ok {
		return s.of(a, []doc.Value{v})
	}
	if v, ok := value(a, s.parameters); ok {
		return s.of(b, []doc.Value{v})
	}
	return s.anyKey()
}

func (s *solver) oneOf(x ast.Expr, list []ast.Expr) []key {
	values := make([]doc.Value, 0, len(list))
	for _, e := range list {
		v, ok := value(e, s.parameters)
		if !ok {
			return s.anyKey()
		}
		values = append(values, v)
	}
	return s.of(x, values)
}

// of returns the keys whose component at x has one of the values. No component is an array or an object: the service
// looks for such values where items without the component are.
func (s *solver) of(x ast.Expr, values []doc.Value) []key {
	names, ok := path(x, s.root)
	at := slices.IndexFunc(s.paths, func(p []string) bool { return slices.Equal(p, names) })
	if !ok || at < 0 || len(values) > mostKeys {
		return s.anyKey()
	}
	found := make([]key, 0, len(values))
	for _, v := range values {
		if v.Kind() == doc.List || v.Kind() == doc.Map {
			v = doc.Value{}
		}
		k := make(key, len(s.paths))
		k[at] = &v
		found = append(found, k)
	}
	return found
}

// intersectKeys returns the keys that match two filters. If there are too many to compare, it returns the keys of one
// filter, which are a superset.
func intersectKeys(a, b []key) []key {
	if len(a)*len(b) > mostKeys {
		if len(a) < len(b) {
			return a
		}
		return b
	}
	found := []key(nil)
	for _, x := range a {
		for _, y := range b {
			if k, ok := intersectKey(x, y); ok {
				found = append(found, k)
			}
		}
	}
	return found
}

func intersectKey(a, b key) (key, bool) {
	both := slices.Clone(a)
	for i, v := range b {
		switch {
		case both[i] == nil:
			both[i] = v
		case v != nil && !doc.Equal(*both[i], *v):
			return nil, false
		}
	}
	return both, true
}

// value returns the value of an expression of literals and parameters.
func value(e ast.Expr, parameters map[string]doc.Value) (doc.Value, bool) {
	switch e := e.(type) {
	case *ast.Literal:
		return e.Value, true
	case *ast.Param:
		v, ok := parameters[e.Name]
		return v, ok
	case *ast.Unary:
		if v, ok := value(e.X, parameters); ok && e.Op == ast.Minus && v.Kind() == doc.Numeric {
			return doc.Number(-v.Float()), true
		}
	case *ast.Array:
		elements := make([]doc.Value, len(e.Elements))
		for i, part := range e.Elements {
			v, ok := value(part, parameters)
			if !ok {
				return doc.Value{}, false
			}
			elements[i] = v
		}
		return doc.Array(elements...), true
	case *ast.Object:
		for _, p := range e.Properties {
			if _, ok := value(p.Value, parameters); !ok {
				return doc.Value{}, false
			}
		}
		return doc.Object(), true // no key is an object, whatever its properties are
	}
	return doc.Value{}, false
}

// path returns the names on the path from the container's item to a property.
func path(e ast.Expr, root string) ([]string, bool) {
	switch e := e.(type) {
	case *ast.Ident:
		return nil, e.Name == root
	case *ast.Member:
		names, ok := path(e.Of, root)
		return append(names, e.Name), ok
	}
	return nil, false
}
