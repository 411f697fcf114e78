package sql

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// Shape is the information on a query from which its access path is chosen.
type Shape struct {
	Where      []Condition // conditions that are true of every document that yields a row, and perhaps of others
	Order      []Order     // the order in which a source may return documents (Options.Ordered); nil: none
	Limit      int64       // the maximum number of rows needed; -1: all
	Blocking   bool        // all documents are read before the first row, in any order
	Aggregates bool        // the query has aggregate functions
	Grouped    bool        // the query has a GROUP BY
	Distinct   bool
	All        bool   // whole documents are read
	Reads      []Path // otherwise, the paths that are read; each includes what is below it
	Container  bool   // documents are read, or at least counted
	// Opaque is set if the rows are the documents as they are, and nothing in them is read but the paths of Order. A
	// source that returns them in that order may return any other values for them, which then are the rows.
	Opaque bool
}

// Path is a path from a document to a value in it.
type Path []Step

// Step is a step of a path.
type Step struct {
	Kind  StepKind
	Name  string // of Property
	Index int    // of Element
}

// StepKind is the kind of a step.
type StepKind uint8

// The kinds of steps.
const (
	Property StepKind = iota
	Element
	Each // each element of an array
)

// Order is a path of ORDER BY.
type Order struct {
	Path Path
	Desc bool
}

// Condition is a condition on the value at a path. If the path has a step of kind Each, at least one of the values
// there must meet it.
type Condition struct {
	Path   Path
	Op     Op
	Values []doc.Value // one; for In any number; for IsDefined and NotDefined none; never undefined
}

// Op is the operator of a condition.
type Op uint8

// The operators. Eq, In and Ne compare values of the same type; Ne compares null with values of all types. The others
// compare booleans, numbers and strings.
const (
	Eq Op = iota
	In
	Ne
	Lt
	Le
	Gt
	Ge
	StartsWith
	IsDefined
	NotDefined
)

// String returns the operator's name.
func (o Op) String() string {
	return [...]string{"Eq", "In", "Ne", "Lt", "Le", "Gt", "Ge", "StartsWith", "IsDefined", "NotDefined"}[o]
}

// shaper determines a query's shape.
type shaper struct {
	shape    *Shape
	constant func(ast.Expr) (doc.Value, bool)
	computed map[string]*Computed
	aliases  map[string]Path   // the aliases of parts of the document
	notPaths map[ast.Expr]bool // properties and elements that are known to be no paths
}

func shapeOf(q *ast.Query, b *block, p *Program) *Shape {
	s := &shaper{
		shape: &Shape{Limit: -1, Grouped: len(q.GroupBy) > 0, Aggregates: len(b.aggs) > 0, Distinct: b.distinct,
			Container: len(b.sources) > 0},
		constant: p.constant,
		computed: p.params.Computed,
		aliases:  map[string]Path{},
		notPaths: map[ast.Expr]bool{},
	}
	s.from(q.From)
	if q.Where != nil && b.under == nil {
		s.shape.Where = s.conditions(q.Where)
	}
	s.order(q, b)
	s.reads(q, b)
	s.shape.Opaque = s.selectsDocuments(q, b)
	if b.limit >= 0 && !b.grouped && !b.distinct {
		s.shape.Limit = b.offset + b.limit
	}
	s.shape.Blocking = b.grouped || b.under != nil || b.rank != nil || b.distinct && !b.adjacent
	return s.shape
}

// selectsDocuments reports whether the rows are the documents, without a filter, in the order of the shape or in any.
func (s *shaper) selectsDocuments(q *ast.Query, b *block) bool {
	if len(b.sources) != 1 || b.under != nil || b.where != nil || b.grouped || b.distinct || b.rank != nil ||
		len(b.order) != len(s.shape.Order) {
		return false
	}
	from := &q.From.Sources[0]
	alias, _ := q.Select.Value.(*ast.Ident)
	return from.Query == nil && len(from.Path) == 0 && !from.In &&
		(q.Select.Star || alias != nil && alias.Name == aliasOf(from))
}

// from records the aliases. It does not follow subqueries.
func (s *shaper) from(f *ast.From) {
	if f == nil {
		return
	}
	for i := range f.Sources {
		src := &f.Sources[i]
		if src.Query != nil {
			continue
		}
		base, known := s.aliases[src.Root]
		if !known && i > 0 {
			continue
		}
		path := append(Path{}, base...)
		for _, step := range src.Path {
			if step.IsIndex {
				path = append(path, Step{Kind: Element, Index: step.Index})
			} else {
				path = append(path, Step{Name: step.Name})
			}
		}
		if src.In {
			path = append(path, Step{Kind: Each})
		}
		s.aliases[aliasOf(src)] = path
	}
}

// path returns the path that an expression denotes; false if it is not a path.
func (s *shaper) path(e ast.Expr) (path Path, ok bool) {
	switch e := e.(type) {
	case *ast.Ident:
		base, ok := s.aliases[e.Name]
		return append(Path{}, base...), ok
	case *ast.Member, *ast.Index:
		if s.notPaths[e] { // otherwise readsOf would follow a long chain from each of its links
			return nil, false
		}
		if path, ok = s.chain(e); !ok {
			s.notPaths[e] = true
		}
		return path, ok
	}
	return nil, false
}

// chain is path for a property or an element.
func (s *shaper) chain(e ast.Expr) (Path, bool) {
	switch e := e.(type) {
	case *ast.Member:
		of, ok := s.path(e.Of)
		return append(of, Step{Name: e.Name}), ok
	case *ast.Index:
		of, ok := s.path(e.Of)
		if !ok {
			return nil, false
		}
		by, known := s.constant(e.By)
		if !known {
			return nil, false
		}
		switch by.Kind() {
		case doc.Text:
			return append(of, Step{Name: by.Str()}), true
		case doc.Numeric:
			return append(of, Step{Kind: Element, Index: int(by.Float())}), by.Float() == float64(int(by.Float())) &&
				by.Float() >= 0
		}
	}
	return nil, false
}

// order records the order that a source may provide: paths of the document itself, without arrays.
func (s *shaper) order(q *ast.Query, b *block) {
	if b.under != nil {
		return
	}
	var items []ast.OrderItem
	switch {
	case q.OrderBy != nil && !q.OrderBy.Rank && !b.grouped:
		items = q.OrderBy.Items
	case b.byValue && len(b.keys) == 0:
		items = []ast.OrderItem{{Expr: onlyPath(&q.Select)}}
	}
	var order []Order
	for i := range items {
		path, ok := s.path(items[i].Expr)
		if !ok || len(path) == 0 || hasEach(path) {
			return
		}
		order = append(order, Order{path, items[i].Order == ast.Descending})
	}
	s.shape.Order = order
}

func hasEach(p Path) bool {
	for _, step := range p {
		if step.Kind == Each {
			return true
		}
	}
	return false
}
