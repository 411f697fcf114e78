package advice

import (
	"slices"
	"strings"
)

// assignment is what an update does to one attribute or element.
type assignment struct {
	clause string // SET or ADD
	path   string // as written, possibly with placeholders
	value  string // what is written after the = of SET, or the placeholder of ADD
}

// assignments returns what the SET and ADD clauses of an update expression do.
func assignments(update string) (all []assignment) {
	clauses := map[string]string{}
	clause := ""
	for _, word := range strings.Fields(update) {
		switch upper := strings.ToUpper(word); upper {
		case "SET", "ADD", "REMOVE", "DELETE": // reserved words: no attribute is written like this
			clause = upper
		default:
			clauses[clause] += word + " "
		}
	}
	for _, clause := range []string{"SET", "ADD"} {
		for _, action := range splitOutside(clauses[clause]) {
			if path, value, ok := strings.Cut(action, map[string]string{"SET": "=", "ADD": " "}[clause]); ok {
				all = append(all, assignment{clause, strings.TrimSpace(path), strings.TrimSpace(value)})
			}
		}
	}
	return all
}

// splitOutside splits a text at the commas that are not in parentheses.
func splitOutside(text string) (parts []string) {
	depth, from := 0, 0
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				parts, from = append(parts, strings.TrimSpace(text[from:i])), i+1
			}
		}
	}
	return append(parts, strings.TrimSpace(text[from:]))
}

// accumulates reports whether an update that is done twice has another result than when it is done once: it adds to a
// number, or appends to a list. To add an element to a set twice is the same as once.
func accumulates(part map[string]any) bool {
	text, _ := part["UpdateExpression"].(string)
	values := object(part["ExpressionAttributeValues"])
	for _, a := range assignments(text) {
		if a.clause == "ADD" && object(values[a.value])["N"] != nil || a.clause == "SET" && a.derived() {
			return true
		}
	}
	for _, change := range object(part["AttributeUpdates"]) {
		if object(change)["Action"] == "ADD" && object(object(change)["Value"])["N"] != nil {
			return true
		}
	}
	return false
}

// derived reports whether the new value is computed from the old one.
func (a *assignment) derived() bool {
	if !strings.ContainsAny(a.value, "+-") && !strings.Contains(a.value, "list_append") {
		return false
	}
	operands := strings.FieldsFunc(a.value, func(r rune) bool { return strings.ContainsRune(" +-(),", r) })
	return slices.Contains(operands, a.path)
}
