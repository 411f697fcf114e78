package expr

import "strconv"

// Parameter is the request parameter that contains an expression, as messages name it.
type Parameter string

// The parameters that contain expressions.
const (
	ConditionExpression    Parameter = "ConditionExpression"
	FilterExpression       Parameter = "FilterExpression"
	KeyConditionExpression Parameter = "KeyConditionExpression"
	UpdateExpression       Parameter = "UpdateExpression"
	ProjectionExpression   Parameter = "ProjectionExpression"
	// SearchConditionExpression restricts a search in a vector index.
	SearchConditionExpression Parameter = "SearchConditionExpression"
)

// maxExpressionLength is the maximum length of an expression, in bytes as sent. It is checked before parsing, and so
// bounds the recursion of the parsers.
const maxExpressionLength = 4096

// maxOperators is the maximum number of operators and functions in an expression.
const maxOperators = 300

// parser parses a text into a tree, for all kinds of expressions. After the first error it returns no more tokens, so
// that every rule terminates; the tree is then not used.
type parser struct {
	*tree
	src        string
	param      Parameter
	tok        token // the next token, not consumed yet
	lastEnd    int   // the end of the last consumed token
	operators  int
	innerStart int    // where the text inside the innermost parentheses begins
	lastParens [2]int // start and end of the parentheses that were closed last
	err        error
}

// newParser returns a parser at the first token of src.
func newParser(t *tree, param Parameter, src string) parser {
	t.init()
	p := parser{tree: t, src: src, param: param, innerStart: -1, lastParens: [2]int{-1, -1}}
	switch {
	case src == "":
		p.stop(param.invalidf("The expression can not be empty;"))
	case len(src) > maxExpressionLength:
		p.stop(param.tooLong(len(src)))
	default:
		p.tok = next(src, 0)
	}
	return p
}

// advance consumes the next token.
func (p *parser) advance() token {
	t := p.tok
	p.lastEnd = t.end
	p.tok = next(p.src, t.end)
	return t
}

// accept consumes the next token if it has that kind, and reports whether it did.
func (p *parser) accept(kind tokenKind) bool {
	if p.tok.kind != kind {
		return false
	}
	p.advance()
	return true
}

// expect consumes the next token, which must have that kind.
func (p *parser) expect(kind tokenKind) token {
	if p.tok.kind != kind {
		p.fail()
	}
	return p.advance()
}

func (p *parser) text(t token) string { return p.src[t.start:t.end] }

// fail reports a syntax error at the next token.
func (p *parser) fail() {
	if p.err != nil {
		return
	}
	found := "<EOF>"
	if p.tok.kind != tokenEOF {
		found = p.text(p.tok)
	}
	p.stop(p.param.invalidf(`Syntax error; token: "%s", near: "%s"`, found, p.near()))
}

// stop records the first error and ends the text.
func (p *parser) stop(err error) {
	if p.err != nil {
		return
	}
	p.err = err
	p.tok = token{tokenEOF, len(p.src), len(p.src)}
}

// near returns the text from the token before the next one to the token after it.
func (p *parser) near() string {
	start := 0
	for t := next(p.src, 0); t.start < p.tok.start; t = next(p.src, t.end) {
		start = t.start
	}
	end := next(p.src, p.tok.end).end
	return p.src[start:end]
}

// finish expects the end of the text, and returns the first error.
func (p *parser) finish() error {
	p.expect(tokenEOF)
	return p.err
}

// documentPath = identifier { "." identifier | "[" number "]" } . Each identifier is a name or a #name.
func (p *parser) documentPath() span {
	from := len(p.steps)
	p.steps = append(p.steps, Step{Name: p.identifier()})
	for more := true; more && p.err == nil; {
		switch p.tok.kind {
		case tokenDot:
			p.advance()
			p.steps = append(p.steps, Step{Name: p.identifier()})
		case tokenOpenIndex:
			p.advance()
			p.steps = append(p.steps, listStep(p.text(p.expect(tokenNumber))))
			p.expect(tokenCloseIndex)
		default:
			more = false
		}
	}
	return span{int32(from), int32(len(p.steps))}
}

func (p *parser) identifier() string {
	if p.tok.kind != tokenIdentifier && p.tok.kind != tokenName {
		p.fail()
	}
	return p.text(p.advance())
}

// listStep returns the step to a list element. An index that no list can have stays as text.
func listStep(digits string) Step {
	i, err := strconv.ParseInt(digits, 10, 32)
	if err != nil {
		return Step{Name: "[" + digits + "]", Index: -1}
	}
	return Step{Index: int(i)}
}
