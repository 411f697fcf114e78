package expr

import "testing"

// FuzzSearchCondition expects that a condition that is accepted has each attribute once and with a value.
func FuzzSearchCondition(f *testing.F) {
	seed(f, "condition", "filter")
	f.Add("a = :a AND (#b = :n)")
	f.Fuzz(func(t *testing.T, src string) {
		placeholders := fuzzedPlaceholders()
		c, err := ParseSearchCondition(src, placeholders)
		if err != nil {
			wantExprError(t, err)
			return
		}
		seen := map[string]bool{}
		for _, e := range c {
			if e.Name == "" || e.Value == nil || seen[e.Name] {
				t.Fatalf("%q: %+v", src, c)
			}
			seen[e.Name] = true
		}
		if len(c) == 0 {
			t.Fatalf("%q has no condition", src)
		}
	})
}
