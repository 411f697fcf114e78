package ast

import "github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"

// Expr is a scalar expression: one of the pointer types of this file.
type Expr interface {
	At() Span
	print(p *printer)
}

// Literal is a constant: undefined, null, a boolean, a number or a string.
type Literal struct {
	Span
	Value doc.Value
}

// Ident is an alias of the FROM clause.
type Ident struct {
	Span
	Name string
}

// Param is a parameter; its name begins with "@".
type Param struct {
	Span
	Name string
}

// Member is a property: of.name or, if Bracket is set, of["name"]; both mean the same.
type Member struct {
	Span
	Of      Expr
	Name    string
	Bracket bool
}

// Index is of[by]: an element by its index, or a property whose name is not a string literal.
type Index struct {
	Span
	Of, By Expr
}

// Array is an array constructor: [a, b].
type Array struct {
	Span
	Elements []Expr
}

// Object is an object constructor: {"a": b}.
type Object struct {
	Span
	Properties []Property
}

// Property is a property of an object constructor.
type Property struct {
	Name  string
	Value Expr
}

// Call is a function call or, if UDF is set, a call of a user-defined function: udf.name(…). Name is as written.
type Call struct {
	Span
	Name   string
	NameAt Span
	UDF    bool
	Args   []Expr
}

// Unary is a prefix operation.
type Unary struct {
	Span
	Op UnaryOp
	X  Expr
}

// Binary is an infix operation.
type Binary struct {
	Span
	Op   BinaryOp
	L, R Expr
}

// Cond is a conditional expression: if ? then : else.
type Cond struct {
	Span
	If, Then, Else Expr
}

// Between is x [NOT] BETWEEN low AND high. The bounds are inclusive.
type Between struct {
	Span
	Not          bool
	X, Low, High Expr
}

// In is x [NOT] IN (a, b).
type In struct {
	Span
	Not  bool
	X    Expr
	List []Expr
}

// Like is x [NOT] LIKE pattern [ESCAPE "c"].
type Like struct {
	Span
	Not        bool
	X, Pattern Expr
	HasEscape  bool
	Escape     string
}

// Subquery is a query in an expression.
type Subquery struct {
	Span
	Kind  SubqueryKind
	Query *Query
}

// SubqueryKind is the value that an expression computes from a subquery's rows.
type SubqueryKind uint8

// The kinds of subqueries in expressions.
const (
	Scalar SubqueryKind = iota // (SELECT …): its only row; undefined if there is none
	Exists                     // EXISTS(SELECT …): whether it has a row
	Rows                       // ARRAY(SELECT …): an array of its rows
	All                        // ALL(SELECT … WHERE …): whether the filter is false for no row of FROM
	First                      // FIRST(SELECT …): its first row
	Last                       // LAST(SELECT …): its last row
)

// Verbatim is text that is printed as it is, such as the placeholder {documentdb-formattableorderbyquery-filter} in the
// rewritten queries of a query plan. It cannot be compiled, and the parser never produces it.
type Verbatim struct {
	Span
	Text string
}
