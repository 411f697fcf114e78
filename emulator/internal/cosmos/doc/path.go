package doc

import (
	"errors"
	"strings"
)

// PathStep is a step of a path through a document: a property, or any element of an array.
type PathStep struct {
	Name    string
	Element bool
}

// IndexPath is a path of an indexing policy. It leads to a value, or where Wild is set to all that is below its last
// step.
type IndexPath struct {
	Steps []PathStep
	Wild  bool
}

// PathError says from which byte on a text is no path.
type PathError struct{ At int }

func (e *PathError) Error() string { return "not a path of an indexing policy" }

// ErrPathEnd is a path that does not say what it means: it ends neither with /? nor with /*.
var ErrPathEnd = errors.New("a path of an indexing policy ends with /? or /*")

// The ends of paths, and an element's step.
const (
	scalarEnd   = "?"
	wildEnd     = "*"
	elementStep = "[]"
)

// ParseIndexPath reads a path such as /a/"b c"/[]/? or /a/*. The error is a [PathError], or ErrPathEnd.
func ParseIndexPath(text string) (IndexPath, error) {
	p, ended, err := parsePath(text)
	if err == nil && !ended {
		err = ErrPathEnd
	}
	return p, err
}

// ParseValuePath reads a path as composite, spatial, vector and full-text indexes have it, whose end /? is left out or
// not. The error is a [PathError].
func ParseValuePath(text string) (IndexPath, error) {
	p, _, err := parsePath(text)
	if err == nil && (p.Wild || len(p.Steps) == 0) {
		err = &PathError{len(text)}
	}
	return p, err
}

// maxPathSteps is a depth that no document of ours has.
const maxPathSteps = 256

// parsePath reads a path with its end, or without one.
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

// parseStep reads a step behind its slash, and says how many bytes it has; if it is none, how far it could be read. A
// plain name has letters, digits and underscores; others are quoted.
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
	end := strings.IndexFunc(text, func(r rune) bool { return !plainRune(r) })
	if end < 0 {
		end = len(text)
	}
	if end == 0 || end < len(text) && text[end] != '/' {
		return step, end, false
	}
	return PathStep{Name: text[:end]}, end, true
}

func plainRune(r rune) bool {
	return r == '_' || r == '$' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r > '\u007f'
}

// Covers says whether the path covers the value at the end of steps.
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

// Precision orders the paths that cover one value: of two the higher one is more precise. A deeper path is, and of two
// of one depth the one that leads to a value ("Indexing policies in Azure Cosmos DB", include/exclude precedence).
func (p IndexPath) Precision() int {
	if p.Wild {
		return 2 * len(p.Steps)
	}
	return 2*len(p.Steps) + 1
}

// String is the path with each name in quotes, as the service writes it.
func (p IndexPath) String() string {
	text := PathText(p.Steps)
	if p.Wild {
		return text + "/" + wildEnd
	}
	return text + "/" + scalarEnd
}

// PathText is a path as text, without its end: each name in quotes.
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

// Walk calls visit for each value at the end of the steps: at most one, unless an element of an array is among them. It
// calls nothing where the document has no such value.
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
