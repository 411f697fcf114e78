package lazyregexp

import (
	"slices"
	"strings"
	"testing"
)

func TestMethodsAreThoseOfTheCompiledExpression(t *testing.T) {
	t.Parallel()
	r := New(`^a(\d)`)
	if !r.MatchString("a1") || r.MatchString("b1") || !r.Match([]byte("a1")) || r.Match([]byte("b1")) {
		t.Error("Match")
	}
	if got := r.FindStringSubmatch("a1"); !slices.Equal(got, []string{"a1", "1"}) {
		t.Errorf("FindStringSubmatch = %q", got)
	}
	if got := New(`a(\d)`).FindAllStringSubmatch("a1a2"); len(got) != 2 || !slices.Equal(got[1], []string{"a2", "2"}) {
		t.Errorf("FindAllStringSubmatch = %q", got)
	}
	if got := r.FindString("a1b"); got != "a1" {
		t.Errorf("FindString = %q", got)
	}
	if got := r.FindStringIndex("a1b"); !slices.Equal(got, []int{0, 2}) {
		t.Errorf("FindStringIndex = %d", got)
	}
	if got := r.ReplaceAllStringFunc("a1b", strings.ToUpper); got != "A1b" {
		t.Errorf("ReplaceAllStringFunc = %q", got)
	}
	if got := r.String(); got != `^a(\d)` {
		t.Errorf("String = %q", got)
	}
	if got := r.ReplaceAllString("a1b", "$1"); got != "1b" {
		t.Errorf("ReplaceAllString = %q", got)
	}
}

func TestWrongPatternPanicsInATest(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("New returned")
		}
	}()
	New("(")
}
