package features

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/features/catalog"
	"github.com/tabletop-db/tabletop/features/runner"
	"github.com/tabletop-db/tabletop/features/targets"
)

func TestRequirementsAndTagsMatch(t *testing.T) {
	t.Parallel()
	tagged := map[string]bool{}
	for _, s := range allSpecs(t) {
		for _, id := range runner.IDs(s.Tags) {
			tagged[id] = true
		}
	}
	provable := map[string]string{}
	for id, e := range entriesByID(t) {
		if e.Kind.ByLoad() {
			continue
		}
		provable[id] = e.Says
		for _, c := range e.Clauses {
			provable[c.ID] = c.Says
		}
	}
	for id, says := range provable {
		if !tagged[id] {
			t.Errorf("no scenario has the tag @%s: %s", id, says)
		}
	}
	for id := range tagged {
		if provable[id] == "" {
			t.Errorf("the tag @%s is of no entry or clause that a scenario can prove", id)
		}
	}
}

// profile is the part of a load profile that names catalogue entries.
type profile struct {
	Limits []struct {
		ID string `yaml:"id"`
	} `yaml:"limits"`
}

func TestLoadRequirementsAndLimitsMatch(t *testing.T) {
	t.Parallel()
	decided := map[string]bool{}
	err := filepath.WalkDir("../loadtest/profiles", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".yaml" {
			return err
		}
		var p profile
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		err = yaml.Unmarshal(text, &p)
		for _, l := range p.Limits {
			decided[l.ID] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	entries := entriesByID(t)
	for id, e := range entries {
		if e.Kind.ByLoad() && !decided[id] {
			t.Errorf("no load profile has a limit with the id %s: %s", id, e.Says)
		}
	}
	for id := range decided {
		if _, ok := entries[id]; !ok {
			t.Errorf("a load profile decides %s, which is not in the catalogue", id)
		}
	}
}

func TestEntriesAreWellFormed(t *testing.T) {
	t.Parallel()
	c, err := catalog.Read()
	if err != nil {
		t.Fatal(err)
	}
	kinds := []catalog.Kind{catalog.Pattern, catalog.Rule, catalog.Ops, catalog.Defect, catalog.Load, catalog.Cost}
	form := regexp.MustCompile(`^([A-Z]{2})-[A-Z][0-9]+$`)
	clause := regexp.MustCompile(`^[A-Z]{2}-[A-Z][0-9]+\.[a-z][a-z-]*$`)
	for _, e := range c.Entries {
		m := form.FindStringSubmatch(e.ID)
		if m == nil || c.Systems[m[1]].Name == "" || !slices.Contains(kinds, e.Kind) || !strings.HasSuffix(e.Says, ".") {
			t.Errorf("%+v", e)
		}
		for _, c := range e.Clauses {
			if !clause.MatchString(c.ID) || !strings.HasSuffix(c.Says, ".") || len(e.Clauses) < 2 {
				t.Errorf("%+v: a clause has a short name and a sentence, and is not the only one", c)
			}
		}
		if e.Kind == catalog.Defect && !strings.Contains(e.Says, "Decided: ") {
			t.Errorf("%s does not say what was decided", e.ID)
		}
	}
}

func TestScenarioNamesAreUniqueAndTagsAreKnown(t *testing.T) {
	t.Parallel()
	capabilities := []targets.Capability{targets.MoveTime, targets.PrivateStore, targets.IsolatedAccounts,
		targets.Commands}
	seen := map[string]bool{}
	for _, s := range allSpecs(t) {
		if seen[s.Name] {
			t.Errorf("two scenarios are called %q", s.Name)
		}
		seen[s.Name] = true
		if len(runner.IDs(s.Tags)) == 0 {
			t.Errorf("%q proves nothing of the catalogue: give it a tag", s.Name)
			continue
		}
		if strings.HasPrefix(runner.IDs(s.Tags)[0], "SV-") && !slices.Contains(s.Tags,
			runner.NeedsTag+string(targets.Commands)) {
			t.Errorf("%q starts an emulator of its own: give it the tag %s%s", s.Name, runner.NeedsTag, targets.Commands)
		}
		for _, tag := range s.Tags {
			if c, ok := strings.CutPrefix(tag, runner.NeedsTag); ok && !slices.Contains(capabilities, targets.Capability(c)) {
				t.Errorf("%q needs %s, which no target knows of", s.Name, c)
			}
		}
	}
	all, err := Known()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range all {
		if !seen[d.Scenario] || d.Reason == "" {
			t.Errorf("known.yaml: there is no scenario %q, or no reason", d.Scenario)
		}
		if _, err := targets.Parse(d.Target); err != nil {
			t.Errorf("known.yaml: %v", err)
		}
	}
}

func allSpecs(t *testing.T) []runner.Spec {
	t.Helper()
	var all []runner.Spec
	for _, sys := range suites() {
		sources, err := runner.Read(sys.Files)
		if err != nil {
			t.Fatal(err)
		}
		for _, src := range sources {
			all = append(all, src.Scenarios...)
		}
	}
	return all
}

func entriesByID(t *testing.T) map[string]catalog.Entry {
	t.Helper()
	c, err := catalog.Read()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]catalog.Entry{}
	for _, e := range c.Entries {
		if _, twice := all[e.ID]; twice {
			t.Errorf("%s is there twice", e.ID)
		}
		all[e.ID] = e
	}
	return all
}

// TestInvariantsNameRequirements checks that each invariant of a system states requirements of its own document.
func TestInvariantsNameRequirements(t *testing.T) {
	t.Parallel()
	all, err := catalog.Read()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range backend.Systems() {
		set, err := s.ParsedInvariants()
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range set.Invariants {
			if len(v.Requirements) == 0 {
				t.Errorf("%s: %q names no requirement", s.Name, v.Name)
			}
			for _, id := range v.Requirements {
				prefix, _, _ := strings.Cut(id, "-")
				if !all.IsRequirement(id) || all.Systems[prefix].Package != s.Name {
					t.Errorf("%s: %q: %s is no requirement of the system, or has clauses", s.Name, v.Name, id)
				}
			}
		}
	}
}
