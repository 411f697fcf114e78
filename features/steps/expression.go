package steps

import (
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

var (
	token = lazyregexp.New(
		`^(?:'[^']*'|\[\d+\]|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[A-Za-z_][A-Za-z0-9_]*|\s+|[-+=<>(),.])`)
	keyword = lazyregexp.New(`^(?:SET|REMOVE|ADD|DELETE|AND|OR|NOT|BETWEEN|IN)$`)
)

// expression is a request's expression with literals. Every name and value is replaced by a placeholder, so that
// reserved words cannot occur.
type expression struct {
	names  map[string]string
	values Item
}

// parse parses an expression as people write it, such as state = 'paid' AND total > 12.5. Keywords are in capitals, and
// a name before a parenthesis is a function. The service decides whether the expression as a whole is valid.
func (e *expression) parse(text string) (string, error) {
	var b strings.Builder
	for rest := text; rest != ""; {
		t := token.FindString(rest)
		if t == "" {
			return "", fmt.Errorf("cannot read %q in the expression %q", rest, text)
		}
		rest = rest[len(t):]
		b.WriteString(e.place(t, strings.HasPrefix(rest, "(")))
	}
	return b.String(), nil
}

// place returns the text that replaces a token in the expression.
func (e *expression) place(t string, called bool) string {
	switch first := t[0]; {
	case t == "true", t == "false":
		return e.value(&types.AttributeValueMemberBOOL{Value: t == "true"})
	case t == "null":
		return e.value(&types.AttributeValueMemberNULL{Value: true})
	case first == '\'':
		return e.value(&types.AttributeValueMemberS{Value: strings.Trim(t, "'")})
	case first >= '0' && first <= '9', first == '-' && len(t) > 1:
		return e.value(&types.AttributeValueMemberN{Value: t})
	case !letter(first), called, keyword.MatchString(t):
		return t
	}
	if e.names == nil {
		e.names = map[string]string{}
	}
	e.names["#"+t] = t
	return "#" + t
}

func letter(b byte) bool { return b == '_' || b|0x20 >= 'a' && b|0x20 <= 'z' }

func (e *expression) value(v types.AttributeValue) string {
	if e.values == nil {
		e.values = Item{}
	}
	name := fmt.Sprintf(":v%d", len(e.values)+1)
	e.values[name] = v
	return name
}

var keyPart = lazyregexp.New(`^(\w+) = ('[^']*'|-?[\d.]+)(?: AND |$)`)

// keyOf parses an item's key, written name = 'value' AND other = 12.
func keyOf(text string) (Item, error) {
	key := Item{}
	for rest := text; rest != ""; {
		m := keyPart.FindStringSubmatch(rest)
		if m == nil {
			return nil, fmt.Errorf("cannot read %q in the key %q: write id = 'a' AND number = 2", rest, text)
		}
		if quoted, ok := strings.CutPrefix(m[2], "'"); ok {
			key[m[1]] = &types.AttributeValueMemberS{Value: strings.TrimSuffix(quoted, "'")}
		} else {
			key[m[1]] = &types.AttributeValueMemberN{Value: m[2]}
		}
		rest = rest[len(m[0]):]
	}
	return key, nil
}
