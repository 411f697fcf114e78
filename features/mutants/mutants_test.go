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

// Every mutant fits the source as it is today, is Go, or YAML, after its edits, and breaks a promise of the catalogue.
func TestMutantsFitTheSource(t *testing.T) {
	t.Parallel()
	all, err := mutants.Read()
	if err != nil {
		t.Fatal(err)
	}
	c, err := catalog.Read()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, m := range all {
		if m.ID == "" || seen[m.ID] || !strings.HasSuffix(m.Says, ".") || !slices.Contains(mutants.Kinds, m.Kind) || len(m.Edits) == 0 {
			t.Errorf("%q needs an id of its own, a sentence, a kind of the list and edits: %+v", m.ID, m)
		}
		seen[m.ID] = true
		if !c.Promises(m.Breaks) {
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

// parses reports what keeps a file from being read: tables and policies are YAML that programs have in them.
func parses(file, text string) error {
	if path.Ext(file) == ".yaml" {
		return yaml.Unmarshal([]byte(text), new(any))
	}
	_, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution)
	return err
}
