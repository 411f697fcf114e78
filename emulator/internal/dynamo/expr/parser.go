package expr

import "strconv"

// Parameter is the request's parameter that an expression came in, as messages name it.
type Parameter string

// The parameters that hold expressions.
const (
	ConditionExpression    Parameter = "ConditionExpression"
	FilterExpression       Parameter = "FilterExpression"
	KeyConditionExpression Parameter = "KeyConditionExpression"
	UpdateExpression       Parameter = "UpdateExpression"
	ProjectionExpression   Parameter = "ProjectionExpression"
)

// maxSource is the length of the longest expression, in bytes as sent. It is checked before anything is
// read, and bounds how deep the parsers recurse.
const maxSource = 4096

// maxOperators is how many operators and functions an expression may have.
const maxOperators = 300

// parser reads a source text into a tree, for all of the languages. After the first error there are no more
// tokens, so that every rule comes to its end; what it has built by then is not looked at.
type parser struct {
	*tree
	src       string
	param     Parameter
	tok       token // the next token, not yet taken
	taken     int   // where the token ended that was taken last
	operators int
	inside    int    // where the text within the innermost parentheses begins
	closed    [2]int // from where to where the parentheses reached that were closed last
	err       error
}

// newParser is at the first token of src.
func newParser(t *tree, param Parameter, src string) parser {
	t.init()
	p := parser{tree: t, src: src, param: param, inside: -1, closed: [2]int{-1, -1}}
	switch {
	case src == "":
		p.stop(param.invalidf("The expression can not be empty;"))
	case len(src) > maxSource:
		p.stop(param.invalidf("Expression size has exceeded the maximum allowed size; expression size: %d", len(src)))
	default:
		p.tok = next(src, 0)
	}
	return p
}

// take passes over the next token.
func (p *parser) take() token {
	t := p.tok
	p.taken = t.end
	p.tok = next(p.src, t.end)
	return t
}

// takes passes over the next token if it is of that kind.
func (p *parser) takes(kind tokenKind) bool {
	if p.tok.kind != kind {
		return false
	}
	p.take()
	return true
}

// expect passes over the next token, which has to be of that kind.
func (p *parser) expect(kind tokenKind) token {
	if p.tok.kind != kind {
		p.fail()
	}
	return p.take()
}

func (p *parser) text(t token) string { return p.src[t.start:t.end] }

// fail says that the next token cannot stand where it does.
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

// stop ends the source, at its first error.
func (p *parser) stop(err error) {
	if p.err != nil {
		return
	}
	p.err = err
	p.tok = token{tokenEOF, len(p.src), len(p.src)}
}

// near is the text from the token before the next one to the token after it.
func (p *parser) near() string {
	start := 0
	for t := next(p.src, 0); t.start < p.tok.start; t = next(p.src, t.end) {
		start = t.start
	}
	end := next(p.src, p.tok.end).end
	return p.src[start:end]
}

// finish ends the source, and reports the first error that its syntax has.
func (p *parser) finish() error {
	p.expect(tokenEOF)
	return p.err
}

// documentPath is identifier {"." identifier | "[" number "]"}, each identifier a name or a #name.
func (p *parser) documentPath() span {
	from := len(p.steps)
	p.steps = append(p.steps, Step{Name: p.identifier()})
	for more := true; more && p.err == nil; {
		switch p.tok.kind {
		case tokenDot:
			p.take()
			p.steps = append(p.steps, Step{Name: p.identifier()})
		case tokenOpenIndex:
			p.take()
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
	return p.text(p.take())
}

// listStep is the step to a list's element. An index that no list can have stays as text.
func listStep(digits string) Step {
	i, err := strconv.ParseInt(digits, 10, 32)
	if err != nil {
		return Step{Name: "[" + digits + "]", Index: -1}
	}
	return Step{Index: int(i)}
}
