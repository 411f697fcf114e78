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

// Member is a property: of.name, or of["name"] when Bracket; both mean the same.
type Member struct {
	Span
	Of      Expr
	Name    string
	Bracket bool
}

// Index is of[by]: an element by number, or a property by a name that is no string literal.
type Index struct {
	Span
	Of, By Expr
}

// Array makes an array: [a, b].
type Array struct {
	Span
	Elements []Expr
}

// Object makes an object: {"a": b}.
type Object struct {
	Span
	Properties []Property
}

// Property is a property of an object that an expression makes.
type Property struct {
	Name  string
	Value Expr
}

// Call calls a function, or udf.name(…) when UDF. Name is as it was written.
type Call struct {
	Span
	Name   string
	NameAt Span
	UDF    bool
	Args   []Expr
}

// Unary is an operator before its operand.
type Unary struct {
	Span
	Op UnaryOp
	X  Expr
}

// Binary is an operator between its operands.
type Binary struct {
	Span
	Op   BinaryOp
	L, R Expr
}

// Cond is if ? then : else.
type Cond struct {
	Span
	If, Then, Else Expr
}

// Between is x [NOT] BETWEEN low AND high, the bounds included.
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

// SubqueryKind is what an expression makes of a query's rows.
type SubqueryKind uint8

// The kinds of subqueries in expressions.
const (
	Scalar SubqueryKind = iota // (SELECT …): its only row; undefined without one
	Exists                     // EXISTS(SELECT …): whether it has a row
	Rows                       // ARRAY(SELECT …): an array of its rows
	All                        // ALL(SELECT … WHERE …): whether the filter holds of all that FROM gives
	First                      // FIRST(SELECT …): its first row
	Last                       // LAST(SELECT …): its last row
)

// Verbatim is text that a printer writes as it is, such as the placeholders {documentdb-formattableorderbyquery-filter}
// in queries that a query plan rewrites. It cannot be compiled, and the parser makes none.
type Verbatim struct {
	Span
	Text string
}
