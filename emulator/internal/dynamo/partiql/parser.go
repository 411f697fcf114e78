package partiql

import "strings"

// parser parses the tokens of one statement. After an error its position is meaningless.
type parser struct {
	tokens     []token
	at         int
	parameters int
	depth      int
}

// maxDepth is the maximum nesting of expressions. It is the emulator's own limit, which bounds the recursion; literals
// have the service's limit.
const maxDepth = 1000

// Parse parses a statement. Errors: an *Error with the service's message.
func Parse(text string) (*Statement, error) {
	tokens, err := tokenize(text)
	if err != nil {
		return nil, err
	}
	p := &parser{tokens: tokens}
	s, err := p.statement()
	if err != nil {
		return nil, err
	}
	if p.peek().is(";") {
		if p.next(); p.peek().kind != tokenEnd {
			return nil, notWellFormed("Unexpected token after semicolon. (Only one query is allowed.)")
		}
	}
	if p.peek().kind != tokenEnd {
		return nil, notWellFormed("Unexpected token after expression")
	}
	s.Parameters = p.parameters
	return s, nil
}

// peek returns the next token without consuming it.
func (p *parser) peek() token { return p.tokens[p.at] }

// peekAfter returns the token after the next one.
func (p *parser) peekAfter() token { return p.tokens[min(p.at+1, len(p.tokens)-1)] }

// next consumes a token. The last token, tokenEnd, is never consumed.
func (p *parser) next() token {
	t := p.tokens[p.at]
	if t.kind != tokenEnd {
		p.at++
	}
	return t
}

// accept consumes the next token if it is that keyword or symbol, and reports whether it did.
func (p *parser) accept(text string) bool {
	if !p.peek().is(text) {
		return false
	}
	p.next()
	return true
}

// atEnd reports whether the statement ends here.
func (p *parser) atEnd() bool { return p.peek().kind == tokenEnd || p.peek().is(";") }

// The precedences of operators. A higher one binds more closely.
const (
	precedenceNone = iota
	precedenceOr
	precedenceAnd
	precedenceNot
	precedenceComparison
	precedenceTest // IS, IN, LIKE, BETWEEN
	precedenceSum
	precedenceProduct
	precedenceConcatenation
)

// infix returns the precedence of a token as an operator between two expressions, precedenceNone if it is none.
func (p *parser) infix() int {
	switch t := p.peek(); {
	case t.kind == tokenSymbol:
		switch t.text {
		case "=", "<>", "!=", "<", "<=", ">", ">=":
			return precedenceComparison
		case "+", "-":
			return precedenceSum
		case "*", "/", "%":
			return precedenceProduct
		case "||":
			return precedenceConcatenation
		}
	case t.kind == tokenKeyword:
		switch t.text {
		case "or":
			return precedenceOr
		case "and":
			return precedenceAnd
		case "is", "in", "like", "between":
			return precedenceTest
		case "not":
			if after := p.peekAfter(); after.is("in") || after.is("like") || after.is("between") {
				return precedenceTest
			}
		}
	}
	return precedenceNone
}

// expression parses an expression of operators that bind more closely than a precedence.
func (p *parser) expression(precedence int) (*Node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, notWellFormed("")
	}
	defer func() { p.depth-- }()
	left, err := p.unary()
	if err != nil {
		return nil, err
	}
	for {
		q := p.infix()
		if q <= precedence {
			return left, nil
		}
		if left, err = p.operator(left, q); err != nil {
			return nil, err
		}
	}
}

// operator parses an operator after its left operand.
func (p *parser) operator(left *Node, precedence int) (*Node, error) {
	op := p.next()
	negated := op.is("not")
	if negated {
		op = p.next()
	}
	if op.is("is") {
		return p.is(left, op)
	}
	if p.atEnd() {
		return nil, notWellFormed("Missing right-hand side expression of infix operator")
	}
	n := &Node{Kind: nodeBinary, Pos: op.pos, Text: strings.ToUpper(op.text), Args: []*Node{left}}
	switch op.text {
	case "!=":
		n.Text = "<>"
	case "in":
		n.Kind = nodeIn
	case "like":
		n.Kind = nodeLike
	case "between":
		n.Kind = nodeBetween
	}
	right, err := p.expression(precedence)
	if err != nil {
		return nil, err
	}
	n.Args = append(n.Args, right)
	switch n.Kind {
	case nodeBetween:
		err = p.betweenBounds(n)
	case nodeLike:
		err = p.escape(n)
	}
	if err != nil || !negated {
		return n, err
	}
	return &Node{Kind: nodeUnary, Pos: op.pos, Text: "NOT", Args: []*Node{n}}, nil
}

// betweenBounds parses what follows the lower bound of BETWEEN.
func (p *parser) betweenBounds(n *Node) error {
	if !p.accept("and") {
		return notWellFormed("Expected AND keyword")
	}
	if p.atEnd() {
		return notWellFormed("Expected expression after AND")
	}
	high, err := p.expression(precedenceTest)
	n.Args = append(n.Args, high)
	return err
}

// escape parses the ESCAPE of LIKE.
func (p *parser) escape(n *Node) error {
	if !p.accept("escape") {
		return nil
	}
	e, err := p.expression(precedenceTest)
	n.Args = append(n.Args, e)
	return err
}

// is parses what follows IS: a type, or NOT and a type.
func (p *parser) is(left *Node, op token) (*Node, error) {
	n := &Node{Kind: nodeIs, Pos: op.pos, Args: []*Node{left}}
	negated := p.accept("not")
	if err := p.typeName(n); err != nil {
		return nil, err
	}
	if negated {
		return &Node{Kind: nodeUnary, Pos: op.pos, Text: "NOT", Args: []*Node{n}}, nil
	}
	return n, nil
}

// typeName parses the name of a type, of one word or two, with an optional length.
func (p *parser) typeName(n *Node) error {
	t := p.next()
	word := strings.ToLower(t.text)
	name, ok := typeNames[word]
	if !ok || t.kind != tokenKeyword && t.kind != tokenName {
		return notWellFormed("Expected type name")
	}
	if word == "double" {
		if !p.accept("precision") {
			return notWellFormed("Expected type name")
		}
		word = "double precision"
	}
	if word == "character" && p.accept("varying") {
		word, name = "character varying", "CharacterVaryingType"
	}
	n.Type, n.Text = word, name
	if p.peek().is("(") {
		if _, err := p.list(")", "RIGHT_PAREN"); err != nil {
			return err
		}
	}
	return nil
}

// unary parses a term with its signs, or NOT and its operand.
func (p *parser) unary() (*Node, error) {
	t := p.peek()
	switch {
	case t.is("not"):
		// A run of NOTs is a loop: it does not count as nesting.
		var not []token
		for p.peek().is("not") {
			not = append(not, p.next())
		}
		n, err := p.expression(precedenceNot)
		if err != nil {
			return nil, err
		}
		for i := len(not) - 1; i >= 0; i-- {
			n = &Node{Kind: nodeUnary, Pos: not[i].pos, Text: "NOT", Args: []*Node{n}}
		}
		return n, nil
	case t.is("-"), t.is("+"):
		if p.depth++; p.depth > maxDepth {
			return nil, notWellFormed("")
		}
		defer func() { p.depth-- }()
		p.next()
		n, err := p.unary()
		if err != nil {
			return nil, err
		}
		return signed(t, n), nil
	}
	return p.pathTerm()
}

// signed returns an expression with a sign. A sign before a number is part of the number.
func signed(sign token, n *Node) *Node {
	if n.Kind != nodeNumber {
		return &Node{Kind: nodeUnary, Pos: sign.pos, Text: sign.text, Args: []*Node{n}}
	}
	text := n.Text
	switch {
	case sign.text == "+":
	case strings.HasPrefix(text, "-"):
		text = text[1:]
	default:
		text = "-" + text
	}
	return &Node{Kind: nodeNumber, Pos: sign.pos, Text: text}
}
