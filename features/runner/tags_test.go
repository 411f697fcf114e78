package runner

import (
	"slices"
	"testing"
)

func TestClauseTagsIncludeTheirEntry(t *testing.T) {
	t.Parallel()
	got := IDs([]string{"@TL-P1", "@KF-R5.once", "@needs:commands", "@KF-R5.retry", "@TL-P1"})
	if want := []string{"TL-P1", "KF-R5", "KF-R5.once", "KF-R5.retry"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestTagExpressionsIncludeClauses(t *testing.T) {
	t.Parallel()
	sources := map[string]Source{"a.feature": {Scenarios: []Spec{{Tags: []string{"@A-1.two"}},
		{Tags: []string{"@A-1.one", "@B-1"}}, {Tags: []string{"@A-1.one"}}}}}
	for expression, want := range map[string]string{
		"":              "",
		"@B-1":          "@B-1",
		"@A-1":          "@A-1,@A-1.one,@A-1.two",
		"@A-1.one":      "@A-1.one",
		"@B-1,@A-1":     "@B-1,@A-1,@A-1.one,@A-1.two",
		"@B-1 && ~@A-1": "@B-1 && ~@A-1.one && ~@A-1.two && ~@A-1",
		"~@A-1,@B-1":    "~@A-1,@B-1",
	} {
		if got := withClauses(expression, sources); got != want {
			t.Errorf("%q becomes %q, want %q", expression, got, want)
		}
	}
}
