package mutants_test

import (
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/tabletop-db/tabletop/features/catalog"
	"github.com/tabletop-db/tabletop/features/mutants"
)

// TestMutantsFitTheSource checks that every mutant applies to the current source, is valid Go or YAML after its edits,
// and breaks a requirement of the catalogue.
func TestMutantsFitTheSource(t *testing.T) {
	t.Parallel()
	all, c := lists(t)
	explored, err := mutants.Explored()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, m := range append(all, slices.DeleteFunc(explored, func(m mutants.Mutant) bool { return m.Explored })...) {
		if m.ID == "" || seen[m.ID] || !strings.HasSuffix(m.Says, ".") || !slices.Contains(mutants.Kinds, m.Kind) ||
			len(m.Edits) == 0 {
			t.Errorf("%q needs an id of its own, a sentence, a kind of the list and edits: %+v", m.ID, m)
		}
		seen[m.ID] = true
		if !c.IsRequirement(m.Breaks) {
			t.Errorf("%s breaks %s, which is not in the catalogue", m.ID, m.Breaks)
		}
		text, err := m.Apply("../..")
		if err != nil {
			t.Error(err)
			continue
		}
		if err := parses(m.File, text); err != nil {
			t.Errorf("%s: %v", m.ID, err)
		}
	}
}

// TestEachClauseHasAMutant checks that every requirement that scenarios verify, and each of its clauses, has a mutant
// that a scenario catches: a scenario that nothing can fail proves nothing. A mutant that is known to survive does not
// count.
func TestEachClauseHasAMutant(t *testing.T) {
	t.Parallel()
	all, c := lists(t)
	if left := withoutMutants(c, all); len(left) > 0 {
		t.Errorf("no mistake in the list breaks these, so that nobody knows whether their scenarios can fail: %s",
			strings.Join(left, ", "))
	}
}

// TestEachBackendHasExploredMutants checks that exploring finds at least 36 of 40 mistakes, at least seven of each
// backend: the gate fails for each that it does not find, unless the list says why.
func TestEachBackendHasExploredMutants(t *testing.T) {
	t.Parallel()
	all, err := mutants.Explored()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, m := range all {
		if m.Hidden == "" {
			system, _, _ := strings.Cut(m.Breaks, "-")
			found[system]++
		}
	}
	sum := 0
	for _, system := range []string{"PE", "KF", "NT", "TL", "VR"} {
		if sum += found[system]; found[system] < 7 {
			t.Errorf("exploring finds %d mistakes of %s, want at least 7", found[system], system)
		}
	}
	if len(all) < 40 || 10*sum < 9*len(all) {
		t.Errorf("exploring finds %d of %d mistakes, want nine of ten, of at least 40", sum, len(all))
	}
}

func TestClauseWithoutMutantIsReported(t *testing.T) {
	t.Parallel()
	c := catalog.Catalog{Entries: []catalog.Entry{
		{ID: "X-P1", Kind: catalog.Pattern},
		{ID: "X-P2", Kind: catalog.Pattern},
		{ID: "X-R1", Kind: catalog.Rule, Clauses: catalog.Clauses{{ID: "X-R1.once"}, {ID: "X-R1.retry"}, {ID: "X-R1.limit"}}},
		{ID: "X-L1", Kind: catalog.Load},
	}}
	left := withoutMutants(c, []mutants.Mutant{{Breaks: "X-P1"}, {Breaks: "X-R1.once"},
		{Breaks: "X-R1.limit", Survives: "It costs time alone."}})
	if want := []string{"X-P2", "X-R1.retry", "X-R1.limit"}; !slices.Equal(left, want) {
		t.Errorf("got %v, want %v", left, want)
	}
}

// lists returns the mutants, and the catalogue of the requirements that they break.
func lists(t *testing.T) ([]mutants.Mutant, catalog.Catalog) {
	t.Helper()
	all, err := mutants.Read()
	if err != nil {
		t.Fatal(err)
	}
	c, err := catalog.Read()
	if err != nil {
		t.Fatal(err)
	}
	return all, c
}

// withoutMutants returns the clauses, and the entries without clauses, that no mutant breaks, except for those that
// load profiles prove.
func withoutMutants(c catalog.Catalog, all []mutants.Mutant) (left []string) {
	broken := map[string]bool{}
	for _, m := range all {
		broken[m.Breaks] = broken[m.Breaks] || m.Survives == ""
	}
	for _, e := range c.Entries {
		if e.Kind.ByLoad() {
			continue
		}
		parts := []string{e.ID}
		if len(e.Clauses) > 0 {
			parts = nil
		}
		for _, clause := range e.Clauses {
			parts = append(parts, clause.ID)
		}
		left = append(left, slices.DeleteFunc(parts, func(id string) bool { return broken[id] })...)
	}
	return left
}

// parses returns the error that makes a file invalid. Tables and policies are YAML files embedded in the programs.
func parses(file, text string) error {
	if path.Ext(file) == ".yaml" {
		return yaml.Unmarshal([]byte(text), new(any))
	}
	_, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution)
	return err
}
