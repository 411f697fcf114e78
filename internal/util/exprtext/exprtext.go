// Package exprtext normalizes DynamoDB expressions, so that equivalent expressions of a person and of an expression
// builder have the same text.
package exprtext

import (
	"regexp"
	"strings"
)

var (
	placeholder = regexp.MustCompile(`[#:][A-Za-z0-9_]+`)
	// lone matches a pair of parentheses around one comparison, one BETWEEN or one function; the group before it
	// ensures that no function's name precedes it. Builders write such pairs, people do not.
	lone   = regexp.MustCompile(`(^|[^A-Za-z0-9_])\(([^()]*(?:\w\([^()]*\)[^()]*)*)\)`)
	call   = regexp.MustCompile(`\w+\([^()]*\)`)
	spaces = regexp.MustCompile(`\s+`)
	joins  = regexp.MustCompile(`(?i)\b(or|and)\b`)
	within = regexp.MustCompile(`(?i)\bbetween\b.*?\band\b`)
	// called matches a function's name with the space that builders write after it.
	called = regexp.MustCompile(`\b(attribute_exists|attribute_not_exists|attribute_type|begins_with|contains|size) \(`)
	clause = regexp.MustCompile(`\b(SET|REMOVE|ADD|DELETE) `)
)

// Plain returns an expression without parentheses around a single comparison or function and without a space after a
// function's name, with SET before the other clauses of an update, and with placeholders replaced by fill. Parentheses
// are removed first, before values could be mistaken for syntax.
func Plain(expression string, fill func(placeholder string) string) string {
	text := spaces.ReplaceAllString(strings.TrimSpace(expression), " ")
	text = ordered(called.ReplaceAllString(text, "$1("))
	for before := ""; before != text; {
		before = text
		text = lone.ReplaceAllStringFunc(text, unwrap)
	}
	return placeholder.ReplaceAllStringFunc(text, fill)
}

// ordered moves SET before the other clauses of an update, as people write them: builders sort clauses by name.
func ordered(text string) string {
	var set, others []string
	for from := clause.FindStringIndex(text); from != nil && from[0] == 0; from = clause.FindStringIndex(text) {
		end := len(text)
		if next := clause.FindStringIndex(text[from[1]:]); next != nil {
			end = from[1] + next[0]
		}
		if part := strings.TrimSpace(text[:end]); strings.HasPrefix(part, "SET ") {
			set = append(set, part)
		} else {
			others = append(others, part)
		}
		text = text[end:]
	}
	return strings.Join(append(set, others...), " ") + text
}

func unwrap(s string) string {
	m := lone.FindStringSubmatch(s)
	inside := call.ReplaceAllString(within.ReplaceAllString(m[2], ""), "")
	if joins.MatchString(inside) || strings.Contains(inside, ",") {
		return s
	}
	return m[1] + m[2]
}
