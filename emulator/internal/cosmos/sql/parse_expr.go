package sql

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// expr parses a scalar expression. Conditionals and ?? have the lowest precedence and associate to the right.
func (p *parser) expr() ast.Expr {
	none := &ast.Literal{Span: p.tok.Span}
	if !p.enter() {
		return none
	}
	defer p.leave()
	start := p.tok.Start
	e := p.binary(0)
	switch {
	case p.accept("?"):
		then := p.expr()
		p.expect(":")
		otherwise := p.expr()
		return &ast.Cond{Span: p.from(start), If: e, Then: then, Else: otherwise}
	case p.accept("??"):
		r := p.expr()
		return &ast.Binary{Span: p.from(start), Op: ast.Coalesce, L: e, R: r}
	}
	return e
}

func (p *parser) exprs() []ast.Expr {
	all := []ast.Expr{p.expr()}
	for p.accept(",") {
		all = append(all, p.expr())
	}
	return all
}

// operator is a binary operator and its precedence level. Operators of a level associate to the left; a higher level
// binds more tightly. NOT, BETWEEN, IN and LIKE are between AND and the comparisons. The documentation only states the
// order of NOT, AND and OR ("Logical operators").
type operator struct {
	op    ast.BinaryOp
	level int
}

const (
	none        = -1
	comparisons = 2 // the first level above NOT
	levels      = 11
)

var operators = map[string]operator{
	"OR":  {ast.Or, 0},
	"AND": {ast.And, 1},
	"=":   {ast.Eq, comparisons}, "!=": {ast.Ne, comparisons}, "<>": {ast.Ne, comparisons},
	"<": {ast.Lt, 3}, "<=": {ast.Le, 3}, ">": {ast.Gt, 3}, ">=": {ast.Ge, 3},
	"|":  {ast.BitOr, 4},
	"^":  {ast.BitXor, 5},
	"&":  {ast.BitAnd, 6},
	"<<": {ast.ShiftLeft, 7}, ">>": {ast.ShiftRight, 7}, ">>>": {ast.ShiftRightZero, 7},
	"||": {ast.Concat, 8},
	"+":  {ast.Add, 9}, "-": {ast.Sub, 9},
	"*": {ast.Mul, 10}, "/": {ast.Div, 10}, "%": {ast.Mod, 10},
}

func operatorOf(text string) operator {
	if op, ok := operators[text]; ok {
		return op
	}
	return operator{level: none}
}

// binary parses the operators of a level and above.
func (p *parser) binary(level int) ast.Expr {
	if level == levels {
		return p.unary()
	}
	start := p.tok.Start
	e := p.operand(level)
	for p.op.level == level {
		op := p.op.op
		p.advance()
		p.countOperator(op)
		r := p.operand(level)
		e = &ast.Binary{Span: p.from(start), Op: op, L: e, R: r}
	}
	return e
}

// operand parses an operand of a level.
func (p *parser) operand(level int) ast.Expr {
	if level+1 == comparisons {
		return p.not()
	}
	return p.binary(level + 1)
}

func (p *parser) countOperator(op ast.BinaryOp) {
	p.link()
	switch op {
	case ast.And:
		p.ands++
	case ast.Or:
		p.ors++
	}
}

func (p *parser) not() ast.Expr {
	start := p.tok.Start
	if !p.tok.keyword("NOT") {
		return p.predicate()
	}
	if !p.enter() {
		return &ast.Literal{}
	}
	defer p.leave()
	p.advance()
	x := p.not()
	return &ast.Unary{Span: p.from(start), Op: ast.Not, X: x}
}

// predicate parses a comparison, and an optional [NOT] BETWEEN, IN or LIKE after it.
func (p *parser) predicate() ast.Expr {
	start := p.tok.Start
	x := p.binary(comparisons)
	not := p.acceptKeyword("NOT")
	switch {
	case p.acceptKeyword("BETWEEN"):
		low := p.binary(comparisons)
		p.expectKeyword("AND")
		high := p.binary(comparisons)
		return &ast.Between{Span: p.from(start), Not: not, X: x, Low: low, High: high}
	case p.acceptKeyword("IN"):
		return p.in(start, not, x)
	case p.acceptKeyword("LIKE"):
		e := &ast.Like{Not: not, X: x, Pattern: p.binary(comparisons)}
		if e.HasEscape = p.acceptKeyword("ESCAPE"); e.HasEscape {
			e.Escape = p.text()
		}
		e.Span = p.from(start)
		return e
	case not:
		p.unexpected()
	}
	return x
}

func (p *parser) in(start int, not bool, x ast.Expr) ast.Expr {
	p.expect("(")
	list := p.exprs()
	p.expect(")")
	e := &ast.In{Span: p.from(start), Not: not, X: x, List: list}
	if len(list) > maxIn {
		p.fail(faultTooManyItems.at(e.Span, maxIn))
	}
	return e
}

func (p *parser) unary() ast.Expr {
	var op ast.UnaryOp
	switch {
	case p.tok.is("-"):
		op = ast.Minus
	case p.tok.is("+"):
		op = ast.Plus
	case p.tok.is("~"):
		op = ast.BitNot
	default:
		return p.postfix()
	}
	if !p.enter() {
		return &ast.Literal{}
	}
	defer p.leave()
	start := p.tok.Start
	p.advance()
	if op == ast.Minus && p.tok.kind == tokenNumber { // a negative number is a literal
		e := p.number("-")
		e.Start = start
		return p.members(start, e)
	}
	x := p.unary()
	return &ast.Unary{Span: p.from(start), Op: op, X: x}
}

func (p *parser) number(sign string) *ast.Literal {
	e := &ast.Literal{Span: p.tok.Span}
	n, ok := numberValue(sign, p.tok.text)
	if !ok {
		p.fail(faultNumber.at(p.tok.Span, p.tok.text))
		return e
	}
	p.advance()
	e.Value = n
	return e
}
