package steps_test

import (
	"flag"
	"os"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tabletop-db/tabletop/features/httpapi"
	"github.com/tabletop-db/tabletop/features/steps"
)

var rewrite = flag.Bool("rewrite", false, "write docs/steps.md")

// all returns every generic step.
func all() []steps.Group {
	w := &steps.World{}
	return append(w.Library(), httpapi.New(w, "/").Library()...)
}

func TestEachExampleMatchesOnlyItsStep(t *testing.T) {
	t.Parallel()
	groups := all()
	for _, g := range groups {
		for _, s := range g.Steps {
			if s.Description == "" || s.Description[len(s.Description)-1] != '.' {
				t.Errorf("%s: says %q", s.Pattern, s.Description)
			}
			for _, other := range groups {
				for _, o := range other.Steps {
					if fits := regexp.MustCompile(o.Pattern).MatchString(s.Example); fits != (o.Pattern == s.Pattern) {
						t.Errorf("%q and the pattern %s: %v", s.Example, o.Pattern, fits)
					}
				}
			}
		}
	}
}

func TestReferenceIsCurrent(t *testing.T) {
	t.Parallel()
	const page = "../../docs/steps.md"
	want := []byte(steps.Reference(all()))
	if *rewrite {
		if err := os.WriteFile(page, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("docs/steps.md is not that of the code: go test ./features/steps -rewrite\n%s", diff)
	}
}
