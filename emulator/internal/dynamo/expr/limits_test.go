package expr

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// join repeats a part with a separator.
func join(n int, part, separator string) string {
	return strings.TrimSuffix(strings.Repeat(part+separator, n), separator)
}

func nested(n int, open, inside, close string) string {
	return strings.Repeat(open, n) + inside + strings.Repeat(close, n)
}

// The limits of a condition, each at its value and one above (DynamoDB Local 3.3.1; the length in all of paritysuite's
// regions).
func TestConditionLimits(t *testing.T) {
	t.Parallel()
	const invalid = "Invalid FilterExpression: "
	for name, c := range map[string]struct{ src, want string }{
		"300 operators": {"NOT " + join(150, "a = b", " AND "), ""},
		"301 operators": {join(151, "a = b", " AND "),
			"The expression contains too many operators; operator count: 301"},
		"functions are operators": {join(151, "attribute_exists(a)", " AND "),
			"The expression contains too many operators; operator count: 301"},
		"one BETWEEN is one": {join(150, "a BETWEEN b AND c", " AND "), ""},
		"100 operands of IN": {"a IN (" + join(100, "b", ",") + ")", ""},
		"101 operands of IN": {"a IN (" + join(101, "b", ",") + ")",
			"The IN operator is provided with too many operands; number of operands: 101"},
		"32 steps": {"a" + strings.Repeat(".b", 31) + " = c", ""},
		"33 steps": {"a" + strings.Repeat("[0]", 32) + " = c",
			"The document path has too many nesting levels; nesting levels: 33"},
		"4096 bytes": {strings.Repeat("a", 4092) + " = b", ""},
		"4097 bytes": {strings.Repeat("a", 4093) + " = b",
			"Expression size has exceeded the maximum allowed size;"},
		"10,000 parentheses": {nested(10000, "(", "a = b", ")"),
			"Expression size has exceeded the maximum allowed size;"},
		"2,000 parentheses": {nested(2000, "(", "a = b", ")"), "The expression has redundant parentheses;"},
		"300 useful parentheses": {nested(300, "(a=b OR ", "c=d", ")"),
			"The expression contains too many operators; operator count: 601"},
		"149 useful parentheses": {nested(149, "(a=b OR ", "c=d", ")"), ""},
		"1,000 functions":        {nested(1000, "f(", "a", ")"), "Invalid function name; function: f"},
		"1,020 NOT": {strings.Repeat("NOT ", 1020) + "a = b",
			"The expression contains too many operators; operator count: 1021"},
		"only an opening": {strings.Repeat("(", 4096), `Syntax error; token: "<EOF>", near: "("`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := "<nil>"
			if c.want != "" {
				want = invalid + c.want
			}
			condition, err := ParseCondition(FilterExpression, c.src, nil)
			if diff := cmp.Diff(want, fmt.Sprint(err)); diff != "" {
				t.Error(diff)
			}
			if err == nil {
				condition.Match(item.Empty, nil)
			}
		})
	}
}

// A text that is too long is not parsed by any of the parsers, however it begins.
func TestExpressionSizeLimit(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		strings.Repeat("(", 1<<20), "AND " + strings.Repeat("NOT ", 1<<20), strings.Repeat("SET a=", 1<<20),
		strings.Repeat("a.", 1<<20),
	} {
		_, condition := ParseCondition(ConditionExpression, src, nil)
		_, update := ParseUpdate(src, nil)
		_, projection := ParseProjection(src, nil)
		_, key := ParseKeyCondition(src, nil)
		for _, err := range []error{condition, update, projection, key} {
			if want := "the maximum allowed size;"; !strings.HasSuffix(fmt.Sprint(err), want) {
				t.Errorf("got %v, want %s", err, want)
			}
		}
	}
}

// Sums and functions count as operators of an update; actions do not.
func TestUpdateLimits(t *testing.T) {
	t.Parallel()
	actions := func(n int, format string) string {
		all := make([]string, n)
		for i := range all {
			all[i] = fmt.Sprintf(format, i)
		}
		return "SET " + strings.Join(all, ",")
	}
	if _, err := ParseUpdate(actions(400, "a%d=b"), nil); err != nil {
		t.Error(err)
	}
	if _, err := ParseUpdate(actions(300, "a%d=b+c"), nil); err != nil {
		t.Error(err)
	}
	_, err := ParseUpdate(actions(301, "a%d=b+c"), nil)
	want := "Invalid UpdateExpression: The expression contains too many operators; operator count: 301"
	if diff := cmp.Diff(want, fmt.Sprint(err)); diff != "" {
		t.Error(diff)
	}
}

// AttributeUpdates without entries change nothing.
func TestEmptyAttributeUpdates(t *testing.T) {
	t.Parallel()
	u, err := ParseAttributeUpdates(nil)
	if err != nil {
		t.Fatal(err)
	}
	it := parseItem(t, `{"a":{"S":"x"}}`)
	if got, err := u.Apply(it, nil); err != nil || !item.Equal(got, it) {
		t.Errorf("got %s, %v", got, err)
	}
}
