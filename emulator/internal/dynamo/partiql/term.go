package partiql

import "strings"

// pathTerm parses a term and the steps after it.
func (p *parser) pathTerm() (*Node, error) {
	n, err := p.term()
	if err != nil {
		return nil, err
	}
	steps, err := p.steps()
	if err != nil || len(steps) == 0 {
		return n, err
	}
	if n.Kind == nodePath && !n.Paren {
		n.Steps = append(n.Steps, steps...)
		return n, nil
	}
	return &Node{Kind: nodeSteps, Pos: n.Pos, Args: []*Node{n}, Steps: steps}, nil
}

// steps parses the steps of a path after its root.
func (p *parser) steps() (steps []Step, err error) {
	for {
		switch {
		case p.accept("."):
			t := p.next()
			switch {
			case t.kind == tokenName, t.kind == tokenQuoted:
				steps = append(steps, Step{Name: t.text, Quoted: t.kind == tokenQuoted})
			case t.is("*"):
				steps = append(steps, Step{Star: true})
			default:
				return nil, notWellFormed("Invalid path dot component")
			}
		case p.accept("["):
			s, err := p.index()
			if err != nil {
				return nil, err
			}
			steps = append(steps, s)
		default:
			return steps, nil
		}
	}
}

// index parses what follows an opening bracket in a path.
func (p *parser) index() (Step, error) {
	var s Step
	if p.peek().is("*") && p.peekAfter().is("]") {
		p.next()
		p.next()
		return Step{Star: true, Digits: "*"}, nil
	}
	n, err := p.expression(precedenceNone)
	if err != nil {
		return s, err
	}
	if !p.accept("]") {
		return s, notWellFormed("Expected RIGHT_BRACKET")
	}
	switch {
	case n.Kind == nodeNumber && isIndex(n.Text):
		return Step{Index: indexOf(n.Text), Digits: n.Text}, nil
	case n.Kind == nodeString:
		return Step{Name: n.Text, Quoted: true}, nil
	}
	return s, notWellFormed("Invalid path component") // no recording has another index
}

// isIndex reports whether a number can be the index of a list.
func isIndex(text string) bool {
	for i := range len(text) {
		if !isDigit(text[i]) {
			return false
		}
	}
	return len(text) <= 9
}

func indexOf(digits string) (i int) {
	for _, d := range digits {
		i = i*10 + int(d-'0')
	}
	return i
}

// term parses a literal, a name, a call, or an expression in parentheses.
func (p *parser) term() (*Node, error) {
	t := p.peek()
	n := &Node{Pos: t.pos, Text: t.text}
	switch t.kind {
	case tokenName, tokenQuoted:
		if p.next(); p.peek().is("(") {
			return p.call(n)
		}
		n.Kind, n.Text, n.Steps = nodePath, "", []Step{{Name: t.text, Quoted: t.kind == tokenQuoted}}
		return n, nil
	case tokenString:
		n.Kind = nodeString
	case tokenNumber:
		n.Kind = nodeNumber
	case tokenIon:
		n.Kind = nodeIon
	case tokenParameter:
		n.Kind, n.Index = nodeParameter, p.parameters
		p.parameters++
	case tokenKeyword:
		return p.keywordTerm(n)
	case tokenSymbol:
		return p.bracketTerm(n)
	default:
		return nil, notWellFormed("Unexpected term")
	}
	p.next()
	return n, nil
}

// keywordTerm parses a term that begins with a keyword.
func (p *parser) keywordTerm(n *Node) (*Node, error) {
	switch word := n.Text; {
	case word == "true", word == "false", word == "null", word == "missing":
		n.Kind = map[string]NodeKind{"true": nodeTrue, "false": nodeFalse, "null": nodeNull, "missing": nodeMissing}[word]
		n.Text = ""
		p.next()
		return n, nil
	case word == "select":
		s, err := p.selectStatement()
		n.Kind, n.Text, n.Subquery = nodeSelect, "", s
		return n, err
	case word == "from":
		_, err := p.fromFirst()
		if err == nil {
			err = notWellFormed("Unexpected term")
		}
		return nil, err
	case word == "case":
		return p.caseTerm(n)
	case functionKeywords()[word] && p.peekAfter().is("("):
		n.Text = p.next().raw
		return p.call(n)
	case operatorKeywords[word]:
		return nil, notWellFormed("Unexpected operator")
	}
	return nil, notWellFormed("Unexpected keyword")
}

// bracketTerm parses a term that begins with a symbol.
func (p *parser) bracketTerm(n *Node) (*Node, error) {
	symbol := n.Text
	n.Text = ""
	var err error
	switch symbol {
	case "(":
		return p.parenthesized(n)
	case "[":
		n.Kind = nodeList
		n.Args, err = p.list("]", "RIGHT_BRACKET")
		return n, err
	case "<<":
		n.Kind = nodeBag
		n.Args, err = p.list(">>", "RIGHT_DOUBLE_ANGLE_BRACKET")
		return n, err
	case "{":
		return p.structure(n)
	case "=", "<>", "!=", "<", "<=", ">", ">=", "||", "/", "%":
		return nil, notWellFormed("Unexpected operator")
	}
	return nil, notWellFormed("Unexpected term")
}

// parenthesized parses an expression in parentheses, or a list of expressions.
func (p *parser) parenthesized(n *Node) (*Node, error) {
	args, err := p.list(")", "RIGHT_PAREN")
	if err != nil {
		return nil, err
	}
	switch len(args) {
	case 0:
		return nil, notWellFormed("Unexpected term")
	case 1:
		args[0].Paren = true
		return args[0], nil
	}
	n.Kind, n.Args, n.Tuple = nodeList, args, true
	return n, nil
}

// list parses an opening bracket, and expressions with commas up to the closing one.
func (p *parser) list(closing, name string) (args []*Node, err error) {
	p.next()
	if closing != ")" && p.accept(closing) {
		return nil, nil
	}
	for {
		if closing == ")" && p.peek().is(")") {
			return nil, notWellFormed("Unexpected term")
		}
		n, err := p.expression(precedenceNone)
		if err != nil {
			return nil, err
		}
		args = append(args, n)
		if p.accept(",") {
			continue
		}
		if !p.accept(closing) {
			return nil, notWellFormed("Expected " + name)
		}
		return args, nil
	}
}

// structure parses the members of { … }.
func (p *parser) structure(n *Node) (*Node, error) {
	n.Kind = nodeStruct
	if p.next(); p.accept("}") {
		return n, nil
	}
	for {
		key, err := p.expression(precedenceNone)
		if err != nil {
			return nil, err
		}
		if !p.accept(":") {
			return nil, notWellFormed("Expected COLON")
		}
		value, err := p.expression(precedenceNone)
		if err != nil {
			return nil, err
		}
		n.Args = append(n.Args, key, value)
		if p.accept(",") {
			continue
		}
		if !p.accept("}") {
			return nil, notWellFormed("Expected RIGHT_CURLY")
		}
		return n, nil
	}
}

// call parses the arguments of a call.
func (p *parser) call(n *Node) (*Node, error) {
	n.Kind = nodeCall
	p.next()
	if p.peek().is("*") && p.peekAfter().is(")") { // COUNT(*)
		n.Args = []*Node{{Kind: nodeStar, Pos: p.next().pos}}
		p.next()
		return n, nil
	}
	if p.accept(")") {
		return n, nil
	}
	p.at--
	var err error
	n.Args, err = p.list(")", "RIGHT_PAREN")
	return n, err
}

// caseTerm parses CASE, which the service parses but refuses later.
func (p *parser) caseTerm(n *Node) (*Node, error) {
	p.next()
	n.Kind, n.Text = nodeCase, "SearchedCase"
	add := func() error {
		e, err := p.expression(precedenceNone)
		n.Args = append(n.Args, e)
		return err
	}
	if !p.peek().is("when") {
		n.Text = "SimpleCase"
		if err := add(); err != nil {
			return nil, err
		}
	}
	if !p.peek().is("when") {
		return nil, notWellFormed("Expected a WHEN clause in CASE")
	}
	for p.accept("when") {
		if err := add(); err != nil {
			return nil, err
		}
		if !p.accept("then") {
			return nil, notWellFormed("Expected THEN keyword")
		}
		if err := add(); err != nil {
			return nil, err
		}
	}
	if p.accept("else") {
		n.Type = "else"
		if err := add(); err != nil {
			return nil, err
		}
	}
	if !p.accept("end") {
		return nil, notWellFormed("Expected END keyword")
	}
	return n, nil
}

// functionName returns a function's name as messages show it.
func (n *Node) functionName() string { return strings.ToLower(n.Text) }
