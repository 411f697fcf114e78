package steps

import (
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/features/wire"
)

func TestExpressionsUsePlaceholders(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want, values string }{
		{"state = 'paid'", "#state = :v1", ":v1 'paid'"},
		{"SET total = total - 1, gift = null REMOVE lines[0].name",
			"SET #total = #total - :v1, #gift = :v2 REMOVE #lines[0].#name", ":v1 1 :v2 null"},
		{"ADD pieces -1.5e3", "ADD #pieces :v1", ":v1 -1.5e3"},
		{"size(name) BETWEEN 1 AND 2 OR NOT attribute_exists(by)",
			"size(#name) BETWEEN :v1 AND :v2 OR NOT attribute_exists(#by)", ":v1 1 :v2 2"},
		{"open = true AND set <> false", "#open = :v1 AND #set <> :v2", ":v1 true :v2 false"},
		{"state = ''", "#state = :v1", ":v1 ''"},
	} {
		var e expression
		got, err := e.parse(c.text)
		var values []string
		for i := range len(e.values) {
			name := ":v" + string(rune('1'+i))
			values = append(values, name, wire.Value(e.values[name]))
		}
		if err != nil || got != c.want || strings.Join(values, " ") != c.values {
			t.Errorf("%s: %s with %v, %v", c.text, got, values, err)
		}
	}
}

func TestInvalidKeysAndExpressionsAreRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"state = 'paid", "a = \"b\"", "a; b"} {
		if got, err := new(expression).parse(text); err == nil {
			t.Errorf("%s was read as %s", text, got)
		}
	}
	for _, text := range []string{"id", "id = a", "id = 'a' OR b = 'c'", "id = 'a'b"} {
		if got, err := keyOf(text); err == nil {
			t.Errorf("%s was read as %v", text, got)
		}
	}
}

func TestCellValues(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"paid": "'paid'", "'12'": "'12'", "12": "12", "12.50": "12.50", "true": "true", "null": "null",
		"[1, \"a\"]": "[1, 'a']",
		`{"a": 1}`:   "{a: 1}", "1A": "'1A'", "12 34": "'12 34'", "'": "'''",
	} {
		v, err := valueOf(text)
		if err != nil || wire.Value(v) != want {
			t.Errorf("%s is %v, not %s", text, v, want)
		}
	}
}

// FuzzRequest checks that no text makes the parser panic, and that what was parsed can be parsed again.
func FuzzRequest(f *testing.F) {
	f.Add(`Query of index "by" of "orders" where "a = 'b' AND c > 2", descending, limit 2`)
	f.Add(`PutItem of "orders" with {"id": {"a": [1]}}, only if "attribute_not_exists(id)"`)
	f.Fuzz(func(t *testing.T, text string) {
		w, err := parseWant(text)
		if err != nil {
			return
		}
		for _, part := range []*string{w.key, w.condition, w.update, w.filter} {
			if part != nil {
				var e expression
				if _, err := e.parse(*part); err == nil && len(e.values) > len(*part) {
					t.Errorf("%q has %d values", *part, len(e.values))
				}
				_, _ = keyOf(*part)
			}
		}
		for name, v := range w.item {
			if name != "" && v == nil {
				t.Errorf("%q: %s has no value", text, name)
			}
		}
	})
}
