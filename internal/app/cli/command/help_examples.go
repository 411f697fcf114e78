package command

import (
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// continued matches the end of a line that a shell continues on the next one.
var continued = lazyregexp.New(` *\\\n *`)

// wrapExamples breaks examples that are wider than this many columns, as a shell continues them: with a backslash at
// the end, before a flag, an operator or a quoted argument.
func wrapExamples(text string, columns int) string {
	lines := strings.Split(continued.ReplaceAllString(text, " "), "\n")
	for i, line := range lines {
		if len([]rune(line)) > columns {
			lines[i] = wrapExample(line, columns)
		}
	}
	return strings.Join(lines, "\n")
}

func wrapExample(line string, columns int) string {
	const end, indent = " \\", "    "
	var out strings.Builder
	column := 0
	for _, part := range exampleParts(line) {
		width := len([]rune(part))
		switch {
		case column > 0 && column+1+width > columns-len(end):
			out.WriteString(end + "\n" + indent)
			column = len(indent)
		case column > 0:
			out.WriteString(" ")
			column++
		}
		out.WriteString(part)
		column += width
	}
	return out.String()
}

// exampleParts splits an example where it may be broken: a flag stays with its value, and quotes stay whole.
func exampleParts(line string) (parts []string) {
	previous := ""
	for _, word := range shellWords(strings.TrimLeft(line, " ")) {
		quoted := strings.ContainsAny(word[:1], `'"`) && !strings.HasPrefix(previous, "-")
		operator := word == "&&" || word == "|" || word == ">"
		if len(parts) == 0 || strings.HasPrefix(word, "-") || operator || quoted {
			parts = append(parts, word)
		} else {
			parts[len(parts)-1] += " " + word
		}
		previous = word
	}
	if len(parts) > 0 {
		parts[0] = strings.Repeat(" ", len(line)-len(strings.TrimLeft(line, " "))) + parts[0]
	}
	return parts
}

// shellWords splits a command line at the spaces outside quotes, and keeps the quotes.
func shellWords(line string) []string {
	open := rune(0)
	return strings.FieldsFunc(line, func(r rune) bool {
		switch {
		case open == 0 && (r == '\'' || r == '"'):
			open = r
		case r == open:
			open = 0
		}
		return r == ' ' && open == 0
	})
}
