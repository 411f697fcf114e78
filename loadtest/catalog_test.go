package loadtest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/features/catalog"
	"github.com/tabletop-db/tabletop/loadtest"
	"github.com/tabletop-db/tabletop/loadtest/profile"
)

// TestProfilesDecideTheCatalogue checks that every figure of load and cost is decided by a limit, and that every limit
// decides a catalogue entry.
func TestProfilesDecideTheCatalogue(t *testing.T) {
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
				t.Errorf("%s decides %s, which the catalogue does not have", p.ID, l.ID)
			}
		}
		for _, a := range p.Access {
			if !slices.ContainsFunc(c.Entries, func(e catalog.Entry) bool { return e.ID == a.ID }) {
				t.Errorf("%s decides %s, which the catalogue does not have", p.ID, a.ID)
			}
		}
		if !slices.ContainsFunc(p.Limits, func(l profile.Limit) bool { return strings.HasPrefix(p.ID, l.ID) }) {
			t.Errorf("%s does not decide the entry that it is named for", p.ID)
		}
	}
	for _, e := range c.Entries {
		if e.Kind.ByLoad() && !decided[e.ID] {
			t.Errorf("no profile decides %s", e.ID)
		}
	}
}
