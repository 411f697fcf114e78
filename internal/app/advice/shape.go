package advice

import (
	"maps"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/exprtext"
)

// expression returns an expression of a request with the names of attributes, and with ? for values: requests that one
// place in a program sends have the same. part is the request, or the part of it with the expression.
func expression(part map[string]any, field string) string {
	text, _ := part[field].(string)
	return withNames(part, text)
}

// withNames returns a text of an expression as expression does.
func withNames(part map[string]any, text string) string {
	return exprtext.Normalize(text, func(placeholder string) string {
		if strings.HasPrefix(placeholder, ":") {
			return "?"
		}
		return attribute(part, placeholder)
	})
}

// shape returns what queries and scans of one place in a program have in common: the operation, the table or index, and
// the attributes that conditions and filters name, but not their values.
func (r *Request) shape() string {
	parts := []string{r.Operation, r.table(), r.text("IndexName"), r.text("Statement"),
		expression(r.Body, "KeyConditionExpression"), expression(r.Body, "FilterExpression")}
	for _, legacy := range []string{"KeyConditions", "QueryFilter", "ScanFilter"} {
		parts = append(parts, strings.Join(slices.Sorted(maps.Keys(object(r.Body[legacy]))), " "))
	}
	return strings.Join(parts, "\x00")
}
