package loadtest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/features/catalog"
	"github.com/tabletop-db/tabletop/loadtest"
	"github.com/tabletop-db/tabletop/loadtest/profile"
)

// TestLimitsMatchTheCatalogue checks that every requirement on load and cost has a limit, and that every limit has a
// requirement.
func TestLimitsMatchTheCatalogue(t *testing.T) {
	t.Parallel()
	c, err := catalog.Read()
	if err != nil {
		t.Fatal(err)
	}
	profiles, err := loadtest.Profiles()
	if err != nil {
		t.Fatal(err)
	}
	decided := map[string]bool{}
	for _, p := range profiles {
		for _, l := range p.Limits {
			decided[l.ID] = true
			if !slices.ContainsFunc(c.Entries, func(e catalog.Entry) bool { return e.ID == l.ID }) {
				t.Errorf("%s has a limit for %s, which is not in the catalogue", p.ID, l.ID)
			}
		}
		for _, a := range p.Access {
			if !slices.ContainsFunc(c.Entries, func(e catalog.Entry) bool { return e.ID == a.ID }) {
				t.Errorf("%s has a limit for %s, which is not in the catalogue", p.ID, a.ID)
			}
		}
		if !slices.ContainsFunc(p.Limits, func(l profile.Limit) bool { return strings.HasPrefix(p.ID, l.ID) }) {
			t.Errorf("%s has no limit for the entry in its name", p.ID)
		}
	}
	for _, e := range c.Entries {
		if e.Kind.ByLoad() && !decided[e.ID] {
			t.Errorf("no limit for %s", e.ID)
		}
	}
}
