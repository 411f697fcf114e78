package expr

// condition = conjunction { "OR" conjunction } .
func (p *parser) condition() ref {
	first := p.conjunction()
	if p.tok.kind != tokenOr {
		return first
	}
	for last := first; p.accept(tokenOr); {
		p.operators++
		r := p.conjunction()
		p.nodes[last].next = r
		last = r
	}
	return p.add(node{op: opOr, first: first, text: "OR"})
}

// conjunction = test { "AND" test } .
func (p *parser) conjunction() ref {
	first := p.test()
	if p.tok.kind != tokenAnd {
		return first
	}
	for last := first; p.accept(tokenAnd); {
		p.operators++
		r := p.test()
		p.nodes[last].next = r
		last = r
	}
	return p.add(node{op: opAnd, first: first, text: "AND"})
}

// test parses "NOT" test, a comparison, a function, or a condition in parentheses. A condition in parentheses may turn
// out to be an operand: (a) = b.
func (p *parser) test() ref {
	if p.accept(tokenNot) {
		p.operators++
		return p.join(node{op: opNot, text: "NOT"}, p.test())
	}
	start := p.tok.start
	left := p.primary()
	if p.err != nil || !p.nodes[left].isOperand() {
		return left
	}
	if r := p.comparison(left); r != 0 {
		return r
	}
	alone := start == p.innerStart && p.tok.kind == tokenClose
	if p.nodes[left].op < opExists && !alone {
		p.fail()
	}
	return left
}

func (p *parser) primary() ref {
	if p.tok.kind != tokenOpen {
		return p.operand()
	}
	o := p.open()
	r := p.condition()
	p.close(o)
	return r
}

// comparison parses what follows the operand on the left; it returns 0 if that is no comparison.
func (p *parser) comparison(left ref) ref {
	n := node{text: p.text(p.tok)}
	switch kind := p.tok.kind; kind {
	case tokenEqual, tokenNotEqual, tokenLess, tokenLessEqual, tokenGreater, tokenGreaterEqual:
		n.op = opEqual + op(kind-tokenEqual)
		p.advance()
		p.operators++
		return p.join(n, left, p.operand())
	case tokenBetween:
		n.op, n.text = opBetween, "BETWEEN"
		p.advance()
		p.operators++
		low := p.operand()
		p.expect(tokenAnd)
		return p.join(n, left, low, p.operand())
	case tokenIn:
		n.op, n.text = opIn, "IN"
		p.advance()
		p.operators++
		p.expect(tokenOpen)
		p.nodes[left].next = p.list()
		p.expect(tokenClose)
		n.first = left
		return p.add(n)
	}
	return 0
}
