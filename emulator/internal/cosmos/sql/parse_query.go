package sql

import (
	"math"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

func (p *parser) query() *ast.Query {
	q := &ast.Query{}
	start := p.tok.Start
	if !p.enter() {
		return q
	}
	defer p.leave()
	q.Select = p.selection()
	if p.tok.keyword("FROM") {
		q.From = p.fromClause()
	}
	if p.acceptKeyword("WHERE") {
		q.Where = p.expr()
	}
	if p.acceptKeyword("GROUP") {
		p.expectKeyword("BY")
		q.GroupBy = p.exprs()
	}
	if p.tok.keyword("ORDER") {
		q.OrderBy = p.orderBy()
	}
	if p.tok.keyword("OFFSET") {
		q.OffsetLimit = p.offsetLimit()
	}
	q.Span = p.from(start)
	return q
}

func (p *parser) selection() ast.Select {
	s := ast.Select{}
	start := p.tok.Start
	p.expectKeyword("SELECT")
	s.Distinct = p.acceptKeyword("DISTINCT")
	if at := p.tok.Start; p.acceptKeyword("TOP") {
		top := p.count(faultTop, faultTop)
		top.Span = p.from(at)
		s.Top = &top
	}
	switch {
	case p.accept("*"):
		s.Star = true
	case p.acceptKeyword("VALUE"):
		s.Value = p.expr()
		p.alias() // documented, but meaningless: the value has no name
	default:
		s.Items = p.selectList()
	}
	s.Span = p.from(start)
	return s
}

func (p *parser) selectList() []ast.SelectItem {
	var items []ast.SelectItem
	for {
		item := ast.SelectItem{}
		start := p.tok.Start
		item.Expr = p.expr()
		item.Alias = p.alias()
		item.Span = p.from(start)
		items = append(items, item)
		if !p.accept(",") {
			return items
		}
	}
}

// alias parses an optional [AS] name.
func (p *parser) alias() string {
	if p.acceptKeyword("AS") || p.tok.kind == tokenIdent {
		return p.identifier()
	}
	return ""
}

// count parses the number or the parameter after TOP, OFFSET or LIMIT.
func (p *parser) count(fraction, large fault) ast.Count {
	c := ast.Count{Span: p.tok.Span}
	switch p.tok.kind {
	case tokenParam:
		c.Param = p.tok.text
	case tokenNumber:
		n, ok := parseNumber(p.tok.text)
		switch {
		case !ok || n > math.MaxUint32:
			p.fail(large.at(p.tok.Span))
		case n != math.Trunc(n):
			p.fail(fraction.at(p.tok.Span))
		default:
			c.N = int64(n)
		}
	default:
		p.unexpected()
	}
	p.advance()
	return c
}

func (p *parser) offsetLimit() *ast.OffsetLimit {
	o := &ast.OffsetLimit{}
	start := p.tok.Start
	p.expectKeyword("OFFSET")
	o.Offset = p.count(fault{faultCount.code, "The count value provided for an OFFSET clause must be an integer."},
		faultOffset)
	p.expectKeyword("LIMIT")
	o.Limit = p.count(fault{faultCount.code, "The count value provided for a LIMIT clause must be an integer."},
		faultLimit)
	o.Span = p.from(start)
	return o
}

func (p *parser) orderBy() *ast.OrderBy {
	o := &ast.OrderBy{}
	start := p.tok.Start
	p.expectKeyword("ORDER")
	p.expectKeyword("BY")
	if p.tok.named("RANK") && p.peek().kind == tokenIdent { // otherwise it is a property named RANK
		p.advance()
		o.Rank = true
	}
	for {
		item := ast.OrderItem{}
		first := p.tok.Start
		item.Expr = p.expr()
		switch {
		case p.acceptKeyword("ASC"):
			item.Order = ast.Ascending
		case p.acceptKeyword("DESC"):
			item.Order = ast.Descending
		}
		item.Span = p.from(first)
		o.Items = append(o.Items, item)
		if !p.accept(",") {
			break
		}
	}
	o.Span = p.from(start)
	return o
}

func (p *parser) fromClause() *ast.From {
	f := &ast.From{}
	start := p.tok.Start
	p.expectKeyword("FROM")
	f.Sources = append(f.Sources, p.source())
	for p.acceptKeyword("JOIN") {
		p.joins++
		f.Sources = append(f.Sources, p.source())
	}
	f.Span = p.from(start)
	return f
}

func (p *parser) source() ast.Source {
	s := ast.Source{}
	start := p.tok.Start
	if p.tok.kind == tokenIdent && p.peek().keyword("IN") {
		s.In = true
		s.Alias = p.identifier()
		p.expectKeyword("IN")
	}
	p.collection(&s)
	if !s.In {
		s.Alias = p.alias()
	}
	s.Span = p.from(start)
	return s
}

func (p *parser) collection(s *ast.Source) {
	start := p.tok.Start
	if p.accept("(") {
		s.Query = p.query()
		p.expect(")")
		s.RootAt = p.from(start)
		return
	}
	s.RootAt = p.tok.Span
	s.Root = p.identifier()
	for {
		switch {
		case p.accept("."):
			s.Path = append(s.Path, ast.Step{Name: p.property()})
		case p.accept("["):
			s.Path = append(s.Path, p.bracketStep())
			p.expect("]")
		default:
			return
		}
		p.link()
	}
}

func (p *parser) bracketStep() ast.Step {
	if p.tok.kind != tokenNumber {
		return ast.Step{Name: p.text()}
	}
	n, ok := parseNumber(p.tok.text)
	if !ok || n != math.Trunc(n) || n > math.MaxInt32 {
		p.unexpected()
	}
	p.advance()
	return ast.Step{Index: int(n), IsIndex: true}
}
