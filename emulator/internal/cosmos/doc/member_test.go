package doc

import "testing"

// TestMemberMatchesField compares Member with Field, and Extent with the methods that copy, for each kind of
// value.
func TestMemberMatchesField(t *testing.T) {
	t.Parallel()
	for _, json := range []string{`{"a":1,"b":"text","a2":{"b":[1,2,3]}}`, `{}`, `[]`, `["a","b"]`, `"text"`, `12`, `null`,
		`true`, `123456789012345678901`} {
		v, err := Parse([]byte(json))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"a", "b", "a2", "c", ""} {
			want, got := v.Field(name), v.Member(name)
			if (got != nil) != want.Defined() || got != nil && Compare(*got, want) != 0 {
				t.Errorf("%s of %s: %v, want %v", name, json, got, want)
			}
		}
		if text, parts := v.Extent(); text != len(v.Str()) || parts != v.Len() {
			t.Errorf("%s: %d bytes and %d parts, want %d and %d", json, text, parts, len(v.Str()), v.Len())
		}
	}
}
