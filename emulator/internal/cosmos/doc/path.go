package doc

import (
	"errors"
	"strings"
)

// PathStep is a step of a path in a document: to a property, or to any element of an array.
type PathStep struct {
	Name    string
	Element bool
}

// IndexPath is a path of an indexing policy. It leads to a value or, if Wild is set, to everything below its last step.
type IndexPath struct {
	Steps []PathStep
	Wild  bool
}

// PathError is the error for an invalid path, with the position of the first invalid byte.
type PathError struct{ At int }

func (e *PathError) Error() string { return "not a path of an indexing policy" }

// ErrPathEnd is the error for a path that ends neither with /? nor with /*.
var ErrPathEnd = errors.New("a path of an indexing policy ends with /? or /*")

// The ends of paths, and the step to an array element.
const (
	scalarEnd   = "?"
	wildEnd     = "*"
	elementStep = "[]"
)

// ParseIndexPath parses a path such as /a/"b c"/[]/? or /a/*. Errors: [PathError], ErrPathEnd.
func ParseIndexPath(text string) (IndexPath, error) {
	p, ended, err := parsePath(text)
	if err == nil && !ended {
		err = ErrPathEnd
	}
	return p, err
}

// ParseValuePath parses a path of a composite, spatial, vector or full-text index, in which the end /? is optional.
// Errors: [PathError].
func ParseValuePath(text string) (IndexPath, error) {
	p, _, err := parsePath(text)
	if err == nil && (p.Wild || len(p.Steps) == 0) {
		err = &PathError{len(text)}
	}
	return p, err
}

// maxPathSteps is more than the depth of any document.
const maxPathSteps = 256

// parsePath parses a path. ended reports whether it has an end.
func parsePath(text string) (p IndexPath, ended bool, err error) {
	for at := 0; at < len(text); {
		if text[at] != '/' || len(p.Steps) == maxPathSteps {
			return p, false, &PathError{at}
		}
		if end := text[at+1:]; end == scalarEnd || end == wildEnd {
			p.Wild = end == wildEnd
			return p, true, nil
		}
		step, size, ok := parseStep(text[at+1:])
		if !ok {
			return p, false, &PathError{at + 1 + size}
		}
		at += 1 + size
		p.Steps = append(p.Steps, step)
	}
	return p, false, nil
}

// parseStep parses a step after its slash and returns its length in bytes; for an invalid step, the length of the valid
// part. Plain names consist of letters, digits and underscores; others are quoted.
func parseStep(text string) (step PathStep, size int, ok bool) {
	switch {
	case strings.HasPrefix(text, elementStep):
		return PathStep{Element: true}, len(elementStep), true
	case text != "" && (text[0] == '"' || text[0] == '\''):
		end := closingQuote(text, text[0])
		if end < 0 {
			return step, len(text), false
		}
		return PathStep{Name: strings.ReplaceAll(text[1:end], `\`+text[:1], text[:1])}, end + 1, true
	}
	end := strings.IndexFunc(text, func(r rune) bool { return !isUnquotedRune(r) })
	if end < 0 {
		end = len(text)
	}
	if end == 0 || end < len(text) && text[end] != '/' {
		return step, end, false
	}
	return PathStep{Name: text[:end]}, end, true
}

func isUnquotedRune(r rune) bool {
	return r == '_' || r == '$' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r > '\u007f'
}

// Covers reports whether the path covers the value at the end of steps.
func (p IndexPath) Covers(steps []PathStep) bool {
	if len(p.Steps) > len(steps) || !p.Wild && len(p.Steps) != len(steps) {
		return false
	}
	for i := range p.Steps {
		if p.Steps[i] != steps[i] {
			return false
		}
	}
	return true
}

// Precision ranks the paths that cover a value: the more precise path has the higher precision. A deeper path is more
// precise, and at equal depth a path to a value ("Indexing policies in Azure Cosmos DB", include/exclude precedence).
func (p IndexPath) Precision() int {
	if p.Wild {
		return 2 * len(p.Steps)
	}
	return 2*len(p.Steps) + 1
}

// String returns the path with quotes around each name, as the service writes it.
func (p IndexPath) String() string {
	text := PathText(p.Steps)
	if p.Wild {
		return text + "/" + wildEnd
	}
	return text + "/" + scalarEnd
}

// PathText returns a path without its end, with quotes around each name.
func PathText(steps []PathStep) string {
	var b strings.Builder
	for _, s := range steps {
		if s.Element {
			b.WriteString("/" + elementStep)
			continue
		}
		b.WriteString(`/"` + strings.ReplaceAll(s.Name, `"`, `\"`) + `"`)
	}
	return b.String()
}

// Walk calls visit for each value at the end of the steps: none if there is no such value, and at most one unless a
// step goes to array elements.
func Walk(v Value, steps []PathStep, visit func(Value)) {
	for i, s := range steps {
		if s.Element {
			for _, e := range v.list {
				Walk(e, steps[i+1:], visit)
			}
			return
		}
		if v = v.Field(s.Name); !v.Defined() {
			return
		}
	}
	visit(v)
}
