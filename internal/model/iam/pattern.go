package iam

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"
)

// Values returns the properties of a request other than its action and resource.
type Values interface {
	// Values returns the values of a condition key, or nil if the request has none. The key is in lower case, such as
	// dynamodb:leadingkeys.
	Values(key string) []string
}

// ValueOf returns the values of a condition key with one value; nil, which is none, if it is empty.
func ValueOf(value string) []string {
	if value == "" {
		return nil
	}
	return []string{value}
}

// Context is a map that implements Values. Its keys are those of the documentation, in any case.
type Context map[string][]string

// Values implements the interface [Values]. Names that differ only in case are one key, with the values of all.
func (c Context) Values(key string) []string {
	var names []string
	for name := range c {
		if strings.EqualFold(name, key) {
			names = append(names, name)
		}
	}
	if len(names) == 1 {
		return c[names[0]]
	}
	slices.Sort(names)
	var all []string
	for _, name := range names {
		all = append(all, c[name]...)
	}
	return all
}

type elementKind uint8

const (
	literal  elementKind = iota
	anyText              // *
	anyRune              // ?
	variable             // ${…}
)

// element is a part of a pattern.
type element struct {
	kind       elementKind
	text       string // of a literal; the key of a variable, in lower case
	fallback   string // of a variable
	hasDefault bool
}

// pattern is a compiled text with wildcards and variables.
type pattern struct {
	text     string
	elements []element
	dynamic  bool // whether it has variables
	fold     bool // whether it ignores case
}

var errVariable = errors.New("a variable begins with ${ and ends with }")

// patternSyntax is how the text of a pattern is interpreted.
type patternSyntax struct{ wildcards, variables, fold bool }

// compile compiles text to a pattern.
func (r patternSyntax) compile(text string) (pattern, error) {
	p := pattern{text: text, fold: r.fold}
	for rest := text; rest != ""; {
		switch {
		case r.variables && strings.HasPrefix(rest, "${"):
			inner, after, ok := strings.Cut(rest[2:], "}")
			if !ok {
				return p, errVariable
			}
			p.addVariable(inner)
			rest = after
		case r.wildcards && rest[0] == '*':
			p.elements, rest = append(p.elements, element{kind: anyText}), rest[1:]
		case r.wildcards && rest[0] == '?':
			p.elements, rest = append(p.elements, element{kind: anyRune}), rest[1:]
		default:
			n := r.literalLength(rest)
			p.addLiteral(rest[:n])
			rest = rest[n:]
		}
	}
	return p, nil
}

// literalLength returns how much of text is literal; it is at least 1.
func (r patternSyntax) literalLength(text string) int {
	for i := 1; i < len(text); i++ {
		if r.wildcards && (text[i] == '*' || text[i] == '?') || r.variables && strings.HasPrefix(text[i:], "${") {
			return i
		}
	}
	return len(text)
}

func (p *pattern) addLiteral(text string) {
	if n := len(p.elements); n > 0 && p.elements[n-1].kind == literal {
		p.elements[n-1].text += text
		return
	}
	p.elements = append(p.elements, element{kind: literal, text: text})
}

// addVariable adds the variable between ${ and }: a key, perhaps with a default in quotes, or an escaped *, ? or $.
func (p *pattern) addVariable(inner string) {
	if inner == "*" || inner == "?" || inner == "$" {
		p.addLiteral(inner)
		return
	}
	e := element{kind: variable}
	key, fallback, ok := strings.Cut(inner, ",")
	if fallback = strings.TrimSpace(fallback); ok && len(fallback) >= 2 && fallback[0] == '\'' &&
		fallback[len(fallback)-1] == '\'' {
		e.hasDefault, e.fallback = true, fallback[1:len(fallback)-1]
	}
	e.text = strings.ToLower(strings.TrimSpace(key))
	p.elements = append(p.elements, e)
	p.dynamic = true
}

// value returns the value of a variable; ok is false if the request has no single value for it. Then the pattern
// matches nothing, not even the variable as written, because a client could use it as the name of a table or a key.
func (e *element) value(of Values) (text string, ok bool) {
	if of != nil {
		if values := of.Values(e.text); len(values) == 1 {
			return values[0], true
		}
	}
	return e.fallback, e.hasDefault
}

// isLiteral reports whether the pattern only matches its own text.
func (p *pattern) isLiteral() bool {
	return !p.fold && !p.dynamic && len(p.elements) == 1 && p.elements[0].kind == literal &&
		p.elements[0].text == p.text
}

// How work with patterns is counted: a try compares an element with a position of a text, about 5 ns.
const (
	triesPerStep = 8
	triesAtOnce  = 4096 // between two checks of the request's work
	lookupTries  = 512  // for the value of a variable
	bytesPerTry  = 64   // of compared text
)

// matches reports whether the pattern matches the whole text. It counts its work; once that is used up, nothing
// matches.
func (p *pattern) matches(text string, r *Request) bool {
	switch {
	case r.ended:
		return false
	case len(p.elements) == 0:
		return text == ""
	case len(p.elements) == 1 && p.elements[0].kind == anyText:
		return true
	}
	// The last * is extended as long as the rest does not match.
	star, from := -1, 0
	i, at, tries := 0, 0, 0
	for {
		if tries += p.tries(i); tries >= triesAtOnce {
			if !r.step(tries / triesPerStep) {
				return false
			}
			tries = 0
		}
		if i < len(p.elements) && p.elements[i].kind == anyText {
			star, from = i, at
			i++
			continue
		}
		n, ok := p.step(i, text[at:], r.Context)
		switch {
		case ok && i == len(p.elements):
			return r.step(tries / triesPerStep)
		case ok:
			i, at = i+1, at+n
		case star >= 0 && from < len(text):
			_, size := utf8.DecodeRuneInString(text[from:])
			from += size
			i, at = star+1, from
		default:
			r.step(tries / triesPerStep)
			return false
		}
	}
}

// tries returns the cost of comparing element i.
func (p *pattern) tries(i int) int {
	switch {
	case i == len(p.elements):
		return 1
	case p.elements[i].kind == variable:
		return lookupTries
	}
	return 1 + len(p.elements[i].text)/bytesPerTry
}

// step returns how much of text element i matches; after the last element, text must be empty.
func (p *pattern) step(i int, text string, of Values) (int, bool) {
	if i == len(p.elements) {
		return 0, text == ""
	}
	e := &p.elements[i]
	want := e.text
	switch e.kind {
	case anyRune:
		for j := range text {
			if j > 0 {
				return j, true
			}
		}
		return len(text), text != ""
	case variable:
		var known bool
		if want, known = e.value(of); !known {
			return 0, false
		}
	}
	if len(text) < len(want) {
		return 0, false
	}
	if text[:len(want)] == want || p.fold && strings.EqualFold(text[:len(want)], want) {
		return len(want), true
	}
	return 0, false
}

// arnParts is the number of parts of an ARN: arn, partition, service, region, account, and the resource.
const arnParts = 6

// arnPattern is a pattern of an ARN: a wildcard matches only within its part, except for a lone *, which matches any
// resource.
type arnPattern struct {
	text        string
	anyResource bool
	parts       [arnParts]pattern
}

// compileARN compiles an ARN; missing parts at its end match anything.
func (r patternSyntax) compileARN(text string) (arnPattern, error) {
	a := arnPattern{text: text, anyResource: text == "*"}
	rest, more := text, true
	for i := range a.parts {
		part := "*"
		if more && i == arnParts-1 {
			part = rest
		} else if more {
			part, rest, more = cutColon(rest)
		}
		var err error
		if a.parts[i], err = r.compile(part); err != nil {
			return a, err
		}
	}
	return a, nil
}

// cutColon is strings.Cut at the first colon outside of a variable.
func cutColon(text string) (before, after string, found bool) {
	inside := false
	for i := range len(text) {
		switch {
		case strings.HasPrefix(text[i:], "${"):
			inside = true
		case text[i] == '}':
			inside = false
		case text[i] == ':' && !inside:
			return text[:i], text[i+1:], true
		}
	}
	return text, "", false
}

func (a *arnPattern) matches(text string, r *Request) bool {
	if a.anyResource {
		return true
	}
	rest, more := text, true
	for i := range a.parts {
		if !more {
			return false
		}
		part := rest
		if i < arnParts-1 {
			part, rest, more = strings.Cut(rest, ":")
		}
		if !a.parts[i].matches(part, r) {
			return false
		}
	}
	return true
}
