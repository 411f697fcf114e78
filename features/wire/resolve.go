package wire

import (
	"encoding/base64"
	"sort"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/internal/util/exprtext"
)

type values = map[string]types.AttributeValue

// resolve substitutes the placeholders of an expression.
func resolve(expr *string, names map[string]string, vals values) string {
	return exprtext.Normalize(aws.ToString(expr), func(p string) string {
		if name, ok := names[p]; ok {
			return name
		}
		if v, ok := vals[p]; ok {
			return Value(v)
		}
		return p
	})
}

// Value returns an attribute value as text: 'text', 12.5, true, null, [1, 2], {a: 1}.
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

// pairs returns a map's members as text, sorted by name.
func pairs(m values, between string) []string {
	out := make([]string, 0, len(m))
	for name, v := range m {
		out = append(out, name+between+Value(v))
	}
	sort.Strings(out)
	return out
}

// key returns a single item's key in the form of a key condition.
func key(m values) string {
	return strings.Join(pairs(m, " = "), " AND ")
}

// visible escapes invisible characters, such as \uffff.
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
