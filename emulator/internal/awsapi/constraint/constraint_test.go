package constraint

import (
	"regexp"
	"strings"
	"testing"
)

func TestMessage(t *testing.T) {
	t.Parallel()
	word := regexp.MustCompile(`^\w*$`)
	for want, check := range map[string]func(f *Violations){
		"": func(f *Violations) {
			f.Required(true, "m")
			f.Length("m", "abc", 3, 3)
			f.WithheldLength("m", 3, 1, 3)
			f.Between("m", 1, 1, 1)
			f.OneOf("m", "b", "a", "b")
			f.Matches("m", "w", word, "w")
		},
		"1 validation error detected: Value null at 'm' failed to satisfy constraint: Member must not be null": func(f *Violations) {
			f.Required(false, "m")
		},
		"1 validation error detected: Value 'ab' at 'm' failed to satisfy constraint: Member must have length greater than or equal to 3": func(f *Violations) {
			f.Length("m", "ab", 3, 4)
		},
		"1 validation error detected: Value at 'm' failed to satisfy constraint: Member must have length less than or equal to 4": func(f *Violations) {
			f.WithheldLength("m", 5, 3, 4)
		},
		"1 validation error detected: Value '5' at 'm' failed to satisfy constraint: Member must have value less than or equal to 4": func(f *Violations) {
			f.Between("m", 5, 3, 4)
		},
		"2 validation errors detected: Value 'c' at 'm' failed to satisfy constraint: Member must satisfy enum value set: [a, b]; " +
			"Value '!' at 'n' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\w]*": func(f *Violations) {
			f.OneOf("m", "c", "a", "b")
			f.Matches("n", "!", word, "[\\w]*")
		},
	} {
		var f Violations
		if check(&f); f.Message() != want {
			t.Errorf("%q, want %q", f.Message(), want)
		}
	}
}

func TestAMessageHasTenViolations(t *testing.T) {
	t.Parallel()
	var f Violations
	for range 11 {
		f.Required(false, "m")
	}
	if got := f.Message(); !strings.HasPrefix(got, "10 validation errors detected: ") ||
		strings.Count(got, "Value null") != 10 {
		t.Error(got)
	}
}
