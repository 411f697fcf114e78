package sql

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// conditions returns conditions that are true of every document for which a filter is true.
func (s *shaper) conditions(e ast.Expr) []Condition {
	switch e := e.(type) {
	case *ast.Binary:
		return s.binary(e)
	case *ast.Between:
		if e.Not {
			return nil
		}
		return append(s.compare(ast.Ge, e.X, e.Low), s.compare(ast.Le, e.X, e.High)...)
	case *ast.In:
		return s.in(e)
	case *ast.Like:
		return s.like(e)
	case *ast.Call:
		return s.call(e)
	case *ast.Unary:
		return s.not(e)
	case *ast.Subquery:
		return s.exists(e)
	case *ast.Member:
		if path, ok := s.path(e); ok {
			return []Condition{{path, Eq, []doc.Value{doc.Bool(true)}}}
		}
	}
	return nil
}

func (s *shaper) binary(e *ast.Binary) []Condition {
	switch e.Op {
	case ast.And:
		return append(s.conditions(e.L), s.conditions(e.R)...)
	case ast.Or:
		return either(s.conditions(e.L), s.conditions(e.R))
	}
	return s.compare(e.Op, e.L, e.R)
}

// either returns the conditions of (a OR b): for each path on which both list values, that the value is one of both
// lists.
func either(a, b []Condition) []Condition {
	var both []Condition
	for _, x := range a {
		for _, y := range b {
			if x.among() && y.among() && samePath(x.Path, y.Path) {
				both = append(both, Condition{x.Path, In, append(x.Values, y.Values...)})
				break
			}
		}
	}
	return both
}

// among reports whether the condition lists the allowed values.
func (c *Condition) among() bool { return c.Op == Eq || c.Op == In }

func samePath(a, b Path) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// mirrored maps each comparison to the one with its operands swapped.
var mirrored = map[ast.BinaryOp]ast.BinaryOp{
	ast.Eq: ast.Eq, ast.Ne: ast.Ne, ast.Lt: ast.Gt, ast.Le: ast.Ge, ast.Gt: ast.Lt, ast.Ge: ast.Le,
}

var conditionOps = map[ast.BinaryOp]Op{ast.Eq: Eq, ast.Ne: Ne, ast.Lt: Lt, ast.Le: Le, ast.Gt: Gt, ast.Ge: Ge}

func (s *shaper) compare(op ast.BinaryOp, l, r ast.Expr) []Condition {
	if _, ok := conditionOps[op]; !ok {
		return nil
	}
	path, ok := s.path(l)
	other := r
	if !ok {
		if path, ok = s.path(r); !ok {
			return nil
		}
		op, other = mirrored[op], l
	}
	v, known := s.constant(other)
	if !known {
		return nil
	}
	if !v.Defined() { // never true
		return []Condition{{path, In, nil}}
	}
	return []Condition{{path, conditionOps[op], []doc.Value{v}}}
}

func (s *shaper) in(e *ast.In) []Condition {
	path, ok := s.path(e.X)
	if !ok || e.Not {
		return nil
	}
	var values []doc.Value
	for _, item := range e.List {
		v, known := s.constant(item)
		if !known {
			return nil
		}
		if v.Defined() {
			values = append(values, v)
		}
	}
	return []Condition{{path, In, values}}
}

// like returns a condition on the text before the first wildcard.
func (s *shaper) like(e *ast.Like) []Condition {
	path, ok := s.path(e.X)
	pattern, known := s.constant(e.Pattern)
	if !ok || !known || e.Not || e.HasEscape || pattern.Kind() != doc.Text {
		return nil
	}
	text := pattern.Str()
	wild := strings.IndexAny(text, "%_[")
	switch {
	case wild < 0:
		return []Condition{{path, Eq, []doc.Value{pattern}}}
	case wild == 0:
		return []Condition{{path, IsDefined, nil}}
	}
	return []Condition{{path, StartsWith, []doc.Value{doc.String(text[:wild])}}}
}

// not handles NOT of a path, which must then be false, and NOT IS_DEFINED.
func (s *shaper) not(e *ast.Unary) []Condition {
	if e.Op != ast.Not {
		return nil
	}
	switch x := e.X.(type) {
	case *ast.Member:
		if path, ok := s.path(x); ok {
			return []Condition{{path, Eq, []doc.Value{doc.Bool(false)}}}
		}
	case *ast.Call:
		if x.UDF || !strings.EqualFold(x.Name, "IS_DEFINED") || len(x.Args) != 1 {
			return nil
		}
		if path, ok := s.path(x.Args[0]); ok && !hasEach(path) {
			return []Condition{{path, NotDefined, nil}}
		}
	}
	return nil
}

func (s *shaper) call(e *ast.Call) []Condition {
	if e.UDF || len(e.Args) == 0 {
		return nil
	}
	path, ok := s.path(e.Args[0])
	if !ok {
		return nil
	}
	switch strings.ToUpper(e.Name) {
	case "IS_DEFINED":
		return []Condition{{path, IsDefined, nil}}
	case "IS_NULL":
		return []Condition{{path, Eq, []doc.Value{doc.NullValue()}}}
	case "STARTSWITH", "STRINGEQUALS":
		return s.textCall(e, path)
	case "ARRAY_CONTAINS":
		if len(e.Args) == 2 {
			if v, known := s.constant(e.Args[1]); known && v.Defined() {
				return []Condition{{append(path, Step{Kind: Each}), Eq, []doc.Value{v}}}
			}
		}
	}
	return nil
}

// textCall handles STARTSWITH and STRINGEQUALS, unless they ignore case.
func (s *shaper) textCall(e *ast.Call, path Path) []Condition {
	if len(e.Args) < 2 {
		return nil
	}
	v, known := s.constant(e.Args[1])
	if len(e.Args) > 2 {
		folds, ok := s.constant(e.Args[2])
		known = known && ok && folds.Kind() == doc.Boolean && !folds.IsTrue()
	}
	if !known || v.Kind() != doc.Text {
		return nil
	}
	if strings.EqualFold(e.Name, "STARTSWITH") {
		return []Condition{{path, StartsWith, []doc.Value{v}}}
	}
	return []Condition{{path, Eq, []doc.Value{v}}}
}

// exists handles EXISTS over an array of the document.
func (s *shaper) exists(e *ast.Subquery) []Condition {
	if e.Kind != ast.Exists || e.Query.From == nil || len(e.Query.From.Sources) != 1 || len(e.Query.GroupBy) > 0 ||
		selectsAggregate(&e.Query.Select) {
		return nil
	}
	src := &e.Query.From.Sources[0]
	if _, ok := s.aliases[src.Root]; !ok || src.Query != nil {
		return nil
	}
	inner := &shaper{shape: s.shape, constant: s.constant, computed: s.computed, aliases: map[string]Path{},
		notPaths: map[ast.Expr]bool{}}
	for alias, path := range s.aliases {
		inner.aliases[alias] = path
	}
	inner.from(e.Query.From)
	if e.Query.Where == nil {
		return []Condition{{inner.aliases[aliasOf(src)], IsDefined, nil}}
	}
	return inner.conditions(e.Query.Where)
}
