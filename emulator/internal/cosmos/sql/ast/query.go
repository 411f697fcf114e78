package ast

// Span is where a node stands in the text of its query, in bytes: [Start, End). It is zero in a node that was not
// parsed.
type Span struct{ Start, End int }

// At is the span itself: each node has it.
func (s Span) At() Span { return s }

// Query is one query, or a subquery.
type Query struct {
	Span
	Select      Select
	From        *From // nil: no FROM clause
	Where       Expr  // nil: no WHERE clause
	GroupBy     []Expr
	OrderBy     *OrderBy     // nil: no ORDER BY clause
	OffsetLimit *OffsetLimit // nil: no OFFSET LIMIT clause
}

// Select is the SELECT clause. Of Star, Value and Items one is set.
type Select struct {
	Span
	Distinct bool
	Top      *Count // nil: no TOP
	Star     bool   // SELECT *
	Value    Expr   // SELECT VALUE …
	Items    []SelectItem
}

// SelectItem is an expression of a select list.
type SelectItem struct {
	Span
	Expr  Expr
	Alias string // empty: none
}

// Count is the number after TOP, OFFSET and LIMIT; the span of a TOP is that of the whole.
type Count struct {
	Span
	N     int64
	Param string // "@name" in place of a number; empty: none
}

// From is the FROM clause: the first source and those joined to it.
type From struct {
	Span
	Sources []Source
}

// Source is one source of the FROM clause: "c.children AS x", or "x IN c.children" when In.
type Source struct {
	Span
	Alias  string // empty: none given
	In     bool   // each element of an array in place of the value itself
	Root   string // the container or an alias before it; empty when Query is set
	RootAt Span   // where Root, or the subquery with its parentheses, stands
	Path   []Step
	Query  *Query // a subquery in place of Root and Path
}

// Step is a step of a path: a property's name, or an array's index.
type Step struct {
	Name    string
	Index   int
	IsIndex bool
}

// OrderBy is the ORDER BY clause.
type OrderBy struct {
	Span
	Rank  bool // ORDER BY RANK
	Items []OrderItem
}

// OrderItem is an expression of the ORDER BY clause.
type OrderItem struct {
	Span
	Expr  Expr
	Order Order
}

// Order is the direction of an ORDER BY item.
type Order uint8

// The directions. Unspecified is ascending; with ORDER BY RANK it is the natural order of the score.
const (
	Unspecified Order = iota
	Ascending
	Descending
)

// OffsetLimit is the clause OFFSET … LIMIT ….
type OffsetLimit struct {
	Span
	Offset, Limit Count
}
