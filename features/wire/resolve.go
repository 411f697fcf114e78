package wire

import (
	"encoding/base64"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

type values = map[string]types.AttributeValue

var (
	placeholder = regexp.MustCompile(`[#:][A-Za-z0-9_]+`)
	// lone is a pair of parentheses around one comparison, one BETWEEN or one function; the group before it shows that no
	// function's name precedes it. Builders write such pairs, people do not.
	lone   = regexp.MustCompile(`(^|[^A-Za-z0-9_])\(([^()]*(?:\w\([^()]*\)[^()]*)*)\)`)
	call   = regexp.MustCompile(`\w+\([^()]*\)`)
	spaces = regexp.MustCompile(`\s+`)
	joins  = regexp.MustCompile(`(?i)\b(or|and)\b`)
	within = regexp.MustCompile(`(?i)\bbetween\b.*?\band\b`)
	// called is a function's name, which builders write with a space after it.
	called = regexp.MustCompile(`\b(attribute_exists|attribute_not_exists|attribute_type|begins_with|contains|size) \(`)
	clause = regexp.MustCompile(`\b(SET|REMOVE|ADD|DELETE) `)
)

// resolve fills in an expression's placeholders. Parentheses go first, while values cannot be mistaken for syntax.
func resolve(expr *string, names map[string]string, vals values) string {
	text := spaces.ReplaceAllString(strings.TrimSpace(aws.ToString(expr)), " ")
	text = ordered(called.ReplaceAllString(text, "$1("))
	for before := ""; before != text; {
		before = text
		text = lone.ReplaceAllStringFunc(text, unwrap)
	}
	return placeholder.ReplaceAllStringFunc(text, func(p string) string {
		if name, ok := names[p]; ok {
			return name
		}
		if v, ok := vals[p]; ok {
			return Value(v)
		}
		return p
	})
}

// ordered puts SET before the other clauses of an update, as people write them: builders sort clauses by their names.
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

// Value writes an attribute value for a reader: 'text', 12.5, true, null, [1, 2], {a: 1}.
func Value(v types.AttributeValue) string {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return "'" + visible(v.Value) + "'"
	case *types.AttributeValueMemberN:
		return v.Value
	case *types.AttributeValueMemberBOOL:
		return strconv.FormatBool(v.Value)
	case *types.AttributeValueMemberNULL:
		return "null"
	case *types.AttributeValueMemberB:
		return "b'" + base64.StdEncoding.EncodeToString(v.Value) + "'"
	case *types.AttributeValueMemberM:
		return "{" + strings.Join(pairs(v.Value, ": "), ", ") + "}"
	case *types.AttributeValueMemberL:
		return "[" + list(v.Value, Value) + "]"
	case *types.AttributeValueMemberSS:
		return "<" + list(v.Value, func(s string) string { return "'" + s + "'" }) + ">"
	case *types.AttributeValueMemberNS:
		return "<" + strings.Join(v.Value, ", ") + ">"
	}
	return "?"
}

func list[T any](in []T, write func(T) string) string {
	out := make([]string, len(in))
	for i, v := range in {
		out[i] = write(v)
	}
	return strings.Join(out, ", ")
}

// pairs writes a map's members in the order of their names.
func pairs(m values, between string) []string {
	out := make([]string, 0, len(m))
	for name, v := range m {
		out = append(out, name+between+Value(v))
	}
	sort.Strings(out)
	return out
}

// key writes a single item's key like a key condition.
func key(m values) string {
	return strings.Join(pairs(m, " = "), " AND ")
}

// visible escapes what a reader would not see, such as \uffff.
func visible(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strconv.IsPrint(r) {
			b.WriteRune(r)
		} else {
			q := strconv.QuoteRuneToASCII(r)
			b.WriteString(q[1 : len(q)-1])
		}
	}
	return b.String()
}
