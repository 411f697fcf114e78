package sql

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// The limits of a query. Those marked as documented are from "Azure Cosmos DB service quotas", SQL query limits; the
// others protect the stack from hostile queries.
const (
	maxText  = 512 << 10 // documented
	maxJoins = 10        // documented
	maxAnds  = 2000      // documented
	maxOrs   = 2000      // documented
	maxUDFs  = 10        // documented
	maxIn    = 6000      // documented
	maxDepth = 200
	maxLinks = 20_000
)

// Parse parses a query. The error is an *Error.
func Parse(text string) (*ast.Query, error) {
	if len(text) > maxText {
		return nil, faultTooLong.at(ast.Span{End: len(text)}, maxText)
	}
	p := &parser{lexer: lexer{text: text}}
	p.advance()
	q := p.query()
	if p.err == nil && p.tok.kind != tokenEnd {
		p.unexpected()
	}
	if p.err == nil {
		p.limits()
	}
	if p.err != nil {
		return nil, p.err
	}
	return q, nil
}

// parser is a recursive descent parser with one token of lookahead. After the first error every token is tokenEnd, so
// that parsing ends soon.
type parser struct {
	lexer lexer
	tok   token
	op    operator // the operator that tok is between operands; level none: it is not an operator
	last  int      // the end of the previous token
	err   *Error

	depth                         int
	links, joins, ands, ors, udfs int
}

func (p *parser) advance() {
	p.last = p.tok.End
	if p.err != nil {
		return
	}
	p.tok = p.lexer.next()
	p.op = operator{level: none}
	switch p.tok.kind {
	case tokenPunct:
		p.op = operatorOf(p.tok.text)
	case tokenKeyword:
		p.op = operatorOf(p.tok.word)
	}
}

// peek returns the token after the current one.
func (p *parser) peek() token {
	l := p.lexer
	return l.next()
}

func (p *parser) fail(err *Error) {
	if p.err == nil {
		p.err = err
	}
	p.tok = token{kind: tokenEnd, Span: p.tok.Span}
	p.op = operator{level: none}
}

// unexpected reports a syntax error at the current token.
func (p *parser) unexpected() {
	f := faultSyntax
	switch p.tok.kind {
	case tokenEnd:
		p.fail(faultEnd.at(p.tok.Span))
		return
	case tokenBad:
		f = badToken(p.tok.text[0])
	}
	p.fail(f.at(p.tok.Span, strings.ToValidUTF8(p.tok.text, "\ufffd")))
}

func badToken(first byte) fault {
	switch {
	case first == '"' || first == '\'':
		return faultStringLiteral
	case isDigit(first) || first == '.':
		return faultNumber
	}
	return faultToken
}

// enter counts a level of nesting. If it returns true, the caller must call leave.
func (p *parser) enter() bool {
	if p.depth++; p.depth > maxDepth {
		p.fail(faultTooDeep.at(p.tok.Span, maxDepth))
	}
	return p.err == nil
}

func (p *parser) leave() { p.depth-- }

// link counts an operator of a chain, which nests the tree to the left without nesting in the text.
func (p *parser) link() {
	if p.links++; p.links > maxLinks {
		p.fail(faultTooLarge.at(p.tok.Span, maxLinks))
	}
}

func (p *parser) limits() {
	whole := ast.Span{End: len(p.lexer.text)}
	for _, l := range []struct {
		n, most int
		fault   fault
	}{
		{p.joins, maxJoins, faultTooManyJoins}, {p.ands, maxAnds, faultTooManyAnds},
		{p.ors, maxOrs, faultTooManyOrs}, {p.udfs, maxUDFs, faultTooManyUDFs},
	} {
		if l.n > l.most {
			p.fail(l.fault.at(whole, l.most))
		}
	}
}

func (p *parser) accept(punct string) bool {
	if !p.tok.is(punct) {
		return false
	}
	p.advance()
	return true
}

func (p *parser) acceptKeyword(word string) bool {
	if !p.tok.keyword(word) {
		return false
	}
	p.advance()
	return true
}

func (p *parser) expect(punct string) {
	if !p.accept(punct) {
		p.unexpected()
	}
}

func (p *parser) expectKeyword(word string) {
	if !p.acceptKeyword(word) {
		p.unexpected()
	}
}

// identifier parses a name that is not reserved.
func (p *parser) identifier() string {
	if p.tok.kind != tokenIdent {
		p.unexpected()
		return ""
	}
	name := p.tok.text
	p.advance()
	return name
}

// property parses a name after a dot, where reserved words are allowed: c.value.
func (p *parser) property() string {
	if p.tok.kind != tokenIdent && p.tok.kind != tokenKeyword {
		p.unexpected()
		return ""
	}
	name := p.tok.text
	p.advance()
	return name
}

func (p *parser) text() string {
	if p.tok.kind != tokenString {
		p.unexpected()
		return ""
	}
	s, ok := unquote(p.tok.text)
	if !ok {
		p.tok.kind = tokenBad
		p.unexpected()
		return ""
	}
	p.advance()
	return s
}

// from returns the span from start to the end of the last token.
func (p *parser) from(start int) ast.Span { return ast.Span{Start: start, End: p.last} }
