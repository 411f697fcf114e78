package shape

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/constraint"
)

// NamePattern is the pattern of names of tables and indexes.
const NamePattern = "[a-zA-Z0-9_.-]+"

// MaxNameLength is the maximum length of the name of a table or an index.
const MaxNameLength = 255

// IsName reports whether a name is not empty and has only the characters of [NamePattern].
func IsName(name string) bool {
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '.', c == '-':
		default:
			return false
		}
	}
	return name != ""
}

// Check returns the message for the violated constraints of src, a pointer to a struct, or "" if there are none.
func Check(src any) string {
	var c checker
	c.checkMembers(reflect.ValueOf(src).Elem(), "")
	return c.Message()
}

// checker collects the constraints that the members of a struct violate.
type checker struct{ constraint.Violations }

func (c *checker) checkMembers(v reflect.Value, path string) {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		name := path + strings.ToLower(field.Name[:1]) + field.Name[1:]
		c.checkMember(v.Field(i), name, field.Tag.Get("check"))
	}
}

func (c *checker) checkMember(v reflect.Value, path, constraints string) {
	if v.IsNil() {
		c.Required(!strings.HasPrefix(constraints, "notnull"), path)
		return
	}
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	for one := range strings.SplitSeq(constraints, ",") {
		if each, ok := strings.CutPrefix(one, "each"); ok {
			c.checkElements(v, path, each)
			continue
		}
		if rule := violatedRule(v, one); rule != "" {
			at := path
			if strings.HasPrefix(one, "maxelements=") {
				at = path[strings.LastIndexByte(path, '.')+1:]
			}
			c.Add(at, javaString(v), rule)
		}
	}
	c.checkNested(v, path)
}

func (c *checker) checkNested(v reflect.Value, path string) {
	switch {
	case v.Kind() == reflect.Struct:
		c.checkMembers(v, path+".")
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct:
		for i := range v.Len() {
			c.checkMembers(v.Index(i), path+"."+strconv.Itoa(i+1)+".member.")
		}
	}
}

// checkElements checks a constraint on every element of a list: each, and the constraint.
func (c *checker) checkElements(v reflect.Value, path, constraint string) {
	for i := range v.Len() {
		if rule := violatedRule(v.Index(i), constraint); rule != "" {
			c.Add(path+"."+strconv.Itoa(i+1)+".member", javaString(v.Index(i)), rule)
		}
	}
}

// violatedRule returns the rule that v violates, or "".
func violatedRule(v reflect.Value, check string) string {
	kind, bound, _ := strings.Cut(check, "=")
	if p, ok := patterns[kind]; ok {
		if p.matches(v.String()) {
			return ""
		}
		return "Member must satisfy regular expression pattern: " + p.written
	}
	n, _ := strconv.ParseInt(bound, 10, 64)
	switch {
	case kind == "enum" && !slices.Contains(strings.Split(bound, "|"), v.String()):
		return "Member must satisfy enum value set: [" + strings.ReplaceAll(bound, "|", ", ") + "]"
	case kind == "minlen" && length(v) < int(n):
		return "Member must have length greater than or equal to " + bound
	case (kind == "maxlen" || kind == "maxelements") && length(v) > int(n):
		return "Member must have length less than or equal to " + bound
	case kind == "min" && v.Int() < n:
		return "Member must have value greater than or equal to " + bound
	case kind == "max" && v.Int() > n:
		return "Member must have value less than or equal to " + bound
	}
	return ""
}

// patterns are the constraints on the characters of a string, with the pattern as messages write it.
var patterns = map[string]struct {
	matches func(s string) bool
	written string
}{
	"account":     {isAccount, `[0-9]{12}`},
	"bucket":      {isBucket, `^[a-z0-9A-Z]+[\.\-\w]*[a-z0-9A-Z]+$`},
	"delimiter":   {func(s string) bool { return len(s) == 1 && strings.Contains(",;:|\t ", s) }, `[,;:|\t ]`},
	"header":      {func(s string) bool { return all(s, isHeader) }, `[\x20-\x21\x23-\x2B\x2D-\x7E]*`},
	"hexadecimal": {isHexadecimal, `([0-9a-f]{16})+`},
	"token":       {func(s string) bool { return s != "" && !strings.Contains(s, "$") }, `^[^\$]+$`},
	"name":        {IsName, NamePattern},
	"print":       {func(s string) bool { return s != "" && all(s, isPrintable) }, `\p{Print}+`},
	"text": {func(s string) bool { return all(s, isText) },
		`[\u0020-\uD7FF\uE000-\uFFFD\uD800\uDC00-\uDBFF\uDFFF\r\n\t]*`},
}

func all(s string, is func(r rune) bool) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !is(r) })
}

func isAccount(s string) bool {
	return len(s) == 12 && all(s, func(r rune) bool { return '0' <= r && r <= '9' })
}

func isBucket(s string) bool {
	return len(s) >= 2 && IsName(s) && isAlphanumeric(s[0]) && isAlphanumeric(s[len(s)-1])
}

// isHeader reports whether the header of a column may have a character: neither a double quote nor a comma.
func isHeader(r rune) bool { return isPrintable(r) && r != '"' && r != ',' }

// isHexadecimal reports whether a text is of groups of 16 hexadecimal digits.
func isHexadecimal(s string) bool {
	return s != "" && len(s)%16 == 0 && all(s, func(r rune) bool { return '0' <= r && r <= '9' || 'a' <= r && r <= 'f' })
}

func isAlphanumeric(c byte) bool { return IsName(string(rune(c))) && c != '_' && c != '.' && c != '-' }

func isPrintable(r rune) bool { return ' ' <= r && r <= '~' }

// isText reports whether XML allows a character.
func isText(r rune) bool {
	return r >= ' ' && r != 0xfffe && r != 0xffff || r == '\r' || r == '\n' || r == '\t'
}

func length(v reflect.Value) int {
	if v.Kind() == reflect.String {
		return utf8.RuneCountInString(v.String())
	}
	return v.Len()
}

// javaString returns a value as the service's Java classes print themselves.
func javaString(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return "null"
		}
		return javaString(v.Elem())
	case reflect.Slice:
		parts := make([]string, v.Len())
		for i := range parts {
			parts[i] = javaString(v.Index(i))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case reflect.Struct:
		parts := make([]string, v.NumField())
		for i := range parts {
			name := v.Type().Field(i).Name
			parts[i] = strings.ToLower(name[:1]) + name[1:] + "=" + javaString(v.Field(i))
		}
		return className(v.Type()) + "(" + strings.Join(parts, ", ") + ")"
	}
	return fmt.Sprint(v.Interface())
}
