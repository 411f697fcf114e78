// Package exprtext normalizes DynamoDB expressions, so that equivalent expressions of a person and of an expression
// builder have the same text.
package exprtext

import (
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

var (
	placeholder = lazyregexp.New(`[#:][A-Za-z0-9_]+`)
	// parenthesized matches a pair of parentheses around one comparison, one BETWEEN or one function; the group before it
	// ensures that no function's name precedes it. Builders write such pairs, people do not.
	parenthesized   = lazyregexp.New(`(^|[^A-Za-z0-9_])\(([^()]*(?:\w\([^()]*\)[^()]*)*)\)`)
	functionCall    = lazyregexp.New(`\w+\([^()]*\)`)
	whitespace      = lazyregexp.New(`\s+`)
	logicalOperator = lazyregexp.New(`(?i)\b(or|and)\b`)
	betweenClause   = lazyregexp.New(`(?i)\bbetween\b.*?\band\b`)
	// spacedCall matches a function's name with the space that builders write after it.
	spacedCall = lazyregexp.New(
		`\b(attribute_exists|attribute_not_exists|attribute_type|begins_with|contains|size) \(`)
	clause = lazyregexp.New(`\b(SET|REMOVE|ADD|DELETE) `)
)

// Normalize returns an expression without parentheses around a single comparison or function and without a space after
// a function's name, with SET before the other clauses of an update, and with placeholders replaced by fill.
// Parentheses are removed first, before values could be mistaken for syntax.
func Normalize(expression string, fill func(placeholder string) string) string {
	text := whitespace.ReplaceAllString(strings.TrimSpace(expression), " ")
	text = setFirst(spacedCall.ReplaceAllString(text, "$1("))
	for before := ""; before != text; {
		before = text
		text = parenthesized.ReplaceAllStringFunc(text, unwrap)
	}
	return placeholder.ReplaceAllStringFunc(text, fill)
}

// setFirst moves SET before the other clauses of an update, as people write them: builders sort clauses by name.
func setFirst(text string) string {
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
	m := parenthesized.FindStringSubmatch(s)
	inside := functionCall.ReplaceAllString(betweenClause.ReplaceAllString(m[2], ""), "")
	if logicalOperator.MatchString(inside) || strings.Contains(inside, ",") {
		return s
	}
	return m[1] + m[2]
}
