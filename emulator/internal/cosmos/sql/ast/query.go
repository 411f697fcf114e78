package ast

// Span is the position of a node in the text of its query, in bytes: [Start, End). It is zero for a node that was not
// parsed.
type Span struct{ Start, End int }

// At returns the span. Every node has this method.
func (s Span) At() Span { return s }

// Query is a query or a subquery.
type Query struct {
	Span
	Select      Select
	From        *From // nil: no FROM clause
	Where       Expr  // nil: no WHERE clause
	GroupBy     []Expr
	OrderBy     *OrderBy     // nil: no ORDER BY clause
	OffsetLimit *OffsetLimit // nil: no OFFSET LIMIT clause
}

// Select is the SELECT clause. Exactly one of Star, Value and Items is set.
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

// Count is the number after TOP, OFFSET or LIMIT. The span of a TOP includes the keyword.
type Count struct {
	Span
	N     int64
	Param string // "@name" instead of a number; empty: none
}

// From is the FROM clause: the first source and the joined ones.
type From struct {
	Span
	Sources []Source
}

// Source is one source of the FROM clause: "c.children AS x", or "x IN c.children" when In.
type Source struct {
	Span
	Alias  string // empty: none
	In     bool   // iterates over the elements of an array
	Root   string // the container or a previous alias; empty if Query is set
	RootAt Span   // the position of Root, or of the subquery with its parentheses
	Path   []Step
	Query  *Query // a subquery instead of Root and Path
}

// Step is a step of a path: the name of a property or the index of an array element.
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

// The directions. Unspecified means ascending, and for ORDER BY RANK the natural order of the score.
const (
	Unspecified Order = iota
	Ascending
	Descending
)

// OffsetLimit is the OFFSET … LIMIT … clause.
type OffsetLimit struct {
	Span
	Offset, Limit Count
}
