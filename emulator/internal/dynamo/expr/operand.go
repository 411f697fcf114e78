package expr

// operand = path | ":" value | function "(" list ")" | "(" operand ")" .
func (p *parser) operand() ref {
	switch p.tok.kind {
	case tokenValue:
		return p.add(node{op: opValue, text: p.text(p.advance())})
	case tokenOpen:
		o := p.open()
		r := p.operand()
		p.close(o)
		return r
	case tokenIdentifier:
		if next(p.src, p.tok.end).kind == tokenOpen {
			return p.function()
		}
	}
	return p.add(node{op: opPath, span: p.documentPath()})
}

func (p *parser) function() ref {
	n := node{op: opUnknownFunction, text: p.text(p.advance())}
	if f := functionNamed(n.text); f != nil {
		n.op = f.op
	}
	p.operators++
	p.advance()
	n.first = p.list()
	p.expect(tokenClose)
	return p.add(n)
}

// list = operand { "," operand } . It returns the first operand.
func (p *parser) list() ref {
	first := p.operand()
	for last := first; p.accept(tokenComma); {
		r := p.operand()
		p.nodes[last].next = r
		last = r
	}
	return first
}

// isOperand reports whether a node can be an operand of an operator.
func (n *node) isOperand() bool {
	return n.op == opPath || n.op == opValue || n.op >= opExists && n.op != opPlus && n.op != opMinus
}

// openParen is the parser's state at an opening parenthesis.
type openParen struct{ start, outerStart int }

// open consumes an opening parenthesis.
func (p *parser) open() openParen {
	o := openParen{p.advance().start, p.innerStart}
	p.innerStart = p.tok.start
	return o
}

// close consumes the closing parenthesis of o, and reports redundant parentheses: a pair that contains only another
// pair.
func (p *parser) close(o openParen) {
	redundant := p.lastParens == [2]int{p.innerStart, p.lastEnd}
	p.expect(tokenClose)
	if redundant && p.err == nil {
		p.stop(p.param.invalidf("The expression has redundant parentheses;"))
	}
	p.lastParens = [2]int{o.start, p.lastEnd}
	p.innerStart = o.outerStart
}
