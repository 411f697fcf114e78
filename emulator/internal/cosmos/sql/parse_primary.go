package sql

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// postfix parses a primary expression and the property and element accesses that follow it.
func (p *parser) postfix() ast.Expr {
	start := p.tok.Start
	return p.members(start, p.primary())
}

func (p *parser) members(start int, e ast.Expr) ast.Expr {
	for {
		switch {
		case p.accept("."):
			name := p.property()
			e = &ast.Member{Span: p.from(start), Of: e, Name: name, Bracket: !ast.IsIdentifier(name)}
		case p.accept("["):
			e = p.indexed(start, e)
		default:
			return e
		}
		p.link()
	}
}

func (p *parser) indexed(start int, of ast.Expr) ast.Expr {
	by := p.expr()
	p.expect("]")
	if name, ok := by.(*ast.Literal); ok && name.Value.Kind() == doc.Text {
		return &ast.Member{Span: p.from(start), Of: of, Name: name.Value.Str(), Bracket: true}
	}
	return &ast.Index{Span: p.from(start), Of: of, By: by}
}

func (p *parser) primary() ast.Expr {
	t := p.tok
	switch t.kind {
	case tokenNumber:
		return p.number("")
	case tokenString:
		return &ast.Literal{Value: doc.String(p.text()), Span: t.Span}
	case tokenParam:
		p.advance()
		return &ast.Param{Span: t.Span, Name: t.text}
	case tokenIdent:
		if kind, ok := laterSubqueries[strings.ToUpper(t.text)]; ok && p.selects() {
			return p.subquery(kind)
		}
		p.advance()
		if p.tok.is("(") {
			return p.call(t.Start, t, false)
		}
		return &ast.Ident{Span: t.Span, Name: t.text}
	case tokenKeyword:
		return p.keywordExpr(t)
	case tokenPunct:
		return p.enclosed(t)
	}
	p.unexpected()
	return &ast.Literal{Span: t.Span}
}

func (p *parser) keywordExpr(t token) ast.Expr {
	switch t.word {
	case "TRUE", "FALSE":
		p.advance()
		return &ast.Literal{Span: t.Span, Value: doc.Bool(t.word == "TRUE")}
	case "NULL":
		p.advance()
		return &ast.Literal{Span: t.Span, Value: doc.NullValue()}
	case "UNDEFINED":
		p.advance()
		return &ast.Literal{Span: t.Span}
	case "EXISTS":
		return p.subquery(ast.Exists)
	case "ARRAY":
		return p.subquery(ast.Rows)
	case "UDF":
		p.advance()
		p.expect(".")
		name := p.tok
		p.identifier()
		p.udfs++
		return p.call(t.Start, name, true)
	}
	p.unexpected()
	return &ast.Literal{Span: t.Span}
}

// laterSubqueries are the subquery keywords that are not reserved, because they were added to the language later. Only
// the page on computed properties, where they are forbidden, documents them; Microsoft's own parsers have them.
var laterSubqueries = map[string]ast.SubqueryKind{"ALL": ast.All, "FIRST": ast.First, "LAST": ast.Last}

// selects reports whether (SELECT follows the current token.
func (p *parser) selects() bool {
	l := p.lexer
	return l.next().is("(") && l.next().keyword("SELECT")
}

// subquery parses EXISTS(SELECT …) and ARRAY(SELECT …) from the keyword on.
func (p *parser) subquery(kind ast.SubqueryKind) ast.Expr {
	start := p.tok.Start
	p.advance()
	p.expect("(")
	q := p.query()
	p.expect(")")
	return &ast.Subquery{Span: p.from(start), Kind: kind, Query: q}
}

func (p *parser) call(start int, name token, udf bool) ast.Expr {
	p.expect("(")
	var args []ast.Expr
	if !p.tok.is(")") {
		args = p.exprs()
	}
	p.expect(")")
	return &ast.Call{Span: p.from(start), Name: name.text, NameAt: name.Span, UDF: udf, Args: args}
}

func (p *parser) enclosed(t token) ast.Expr {
	switch t.text {
	case "(":
		return p.parentheses()
	case "[":
		return p.array()
	case "{":
		return p.object()
	}
	p.unexpected()
	return &ast.Literal{Span: t.Span}
}

func (p *parser) parentheses() ast.Expr {
	start := p.tok.Start
	p.expect("(")
	if p.tok.keyword("SELECT") {
		q := p.query()
		p.expect(")")
		return &ast.Subquery{Span: p.from(start), Kind: ast.Scalar, Query: q}
	}
	e := p.expr()
	p.expect(")")
	return e
}

func (p *parser) array() ast.Expr {
	start := p.tok.Start
	p.expect("[")
	e := &ast.Array{}
	if !p.tok.is("]") {
		e.Elements = p.exprs()
	}
	p.expect("]")
	e.Span = p.from(start)
	return e
}

func (p *parser) object() ast.Expr {
	start := p.tok.Start
	p.expect("{")
	e := &ast.Object{}
	for !p.tok.is("}") && p.err == nil {
		name := ""
		if p.tok.kind == tokenString {
			name = p.text()
		} else {
			name = p.property()
		}
		p.expect(":")
		value := p.expr()
		e.Properties = append(e.Properties, ast.Property{Name: name, Value: value})
		if !p.accept(",") {
			break
		}
		if p.tok.is("}") {
			p.unexpected()
		}
	}
	p.expect("}")
	e.Span = p.from(start)
	return e
}
