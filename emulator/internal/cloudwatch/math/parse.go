package math

import (
	"fmt"
	"strings"
)

// Expression is a parsed expression. It does not change, and is safe for concurrent use.
type Expression struct{ root node }

// node is a part of an expression.
type node interface {
	eval(e *evaluation) (value, error)
}

type (
	literal struct{ value float64 }
	quoted  struct{ text string }
	ref     struct{ id string } // a metric or another expression
	negated struct{ of node }
	binary  struct {
		op          string
		left, right node
	}
	call struct {
		name string
		args []node
	}
	list struct{ of []node }
)

// maxDepth is the deepest nesting of an expression.
const maxDepth = 64

type parser struct {
	tokens []token
	depth  int
}

// Parse parses an expression. Its errors state the problem and its position. Callers prefix them with the name of the
// expression.
func Parse(source string) (*Expression, error) {
	tokens, err := scan(source)
	if err != nil {
		return nil, err
	}
	p := &parser{tokens: tokens}
	root, err := p.expression(0)
	if err != nil {
		return nil, err
	}
	if t := p.tokens[0]; t.kind != end {
		return nil, unexpected(t)
	}
	return &Expression{root}, nil
}

func unexpected(t token) error {
	if t.kind == end {
		return fmt.Errorf("it ends too early")
	}
	return fmt.Errorf("unexpected %q at position %d", t.text, t.at+1)
}

func (p *parser) take() token {
	t := p.tokens[0]
	if t.kind != end {
		p.tokens = p.tokens[1:]
	}
	return t
}

// expect reads an operator that must come next.
func (p *parser) expect(op string) error {
	if t := p.take(); t.kind != operator || t.text != op {
		return unexpected(t)
	}
	return nil
}

// binding returns the precedence of a binary operator, or 0 for any other token.
func binding(t token) int {
	if t.kind == name {
		switch strings.ToUpper(t.text) {
		case "OR":
			return 1
		case "AND":
			return 2
		}
		return 0
	}
	if t.kind != operator {
		return 0
	}
	switch t.text {
	case "||":
		return 1
	case "&&":
		return 2
	case "<", "<=", ">", ">=", "==", "!=":
		return 3
	case "+", "-":
		return 4
	case "*", "/":
		return 5
	case "^":
		return 7
	}
	return 0
}

// unaryBinding is the precedence of a sign: -a^b is -(a^b), and -a*b is (-a)*b.
const unaryBinding = 6

// expression parses operators with a higher precedence than min.
func (p *parser) expression(min int) (node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, fmt.Errorf("it is nested deeper than %d levels", maxDepth)
	}
	defer func() { p.depth-- }()
	left, err := p.operand()
	for err == nil {
		bound := binding(p.tokens[0])
		if bound <= min {
			return left, nil
		}
		op := p.take()
		if op.text == "^" {
			bound-- // right-associative
		}
		var right node
		if right, err = p.expression(bound); err == nil {
			left = binary{strings.ToUpper(op.text), left, right}
		}
	}
	return nil, err
}

func (p *parser) operand() (node, error) {
	switch t := p.take(); {
	case t.kind == number:
		return literal{t.value}, nil
	case t.kind == text:
		return quoted{t.text}, nil
	case t.kind == name && p.tokens[0].kind == operator && p.tokens[0].text == "(":
		return p.call(t.text)
	case t.kind == name:
		return ref{t.text}, nil
	case t.kind == operator && t.text == "(":
		inner, err := p.expression(0)
		if err != nil {
			return nil, err
		}
		return inner, p.expect(")")
	case t.kind == operator && t.text == "[":
		items, err := p.items("]")
		return list{items}, err
	case t.kind == operator && (t.text == "-" || t.text == "+"):
		of, err := p.expression(unaryBinding)
		if err != nil || t.text == "+" {
			return of, err
		}
		return negated{of}, nil
	default:
		return nil, unexpected(t)
	}
}

func (p *parser) call(function string) (node, error) {
	if err := p.expect("("); err != nil {
		return nil, err
	}
	args, err := p.items(")")
	if err != nil {
		return nil, err
	}
	c := call{strings.ToUpper(function), args}
	return c, c.check()
}

// items parses a list up to the closing bracket; the opening one has been read.
func (p *parser) items(closing string) ([]node, error) {
	var items []node
	if t := p.tokens[0]; t.kind == operator && t.text == closing {
		p.take()
		return items, nil
	}
	for {
		item, err := p.expression(0)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
		if t := p.take(); t.kind == operator && t.text == closing {
			return items, nil
		} else if t.kind != operator || t.text != "," {
			return nil, unexpected(t)
		}
	}
}
