package features

import (
	"strings"

	"github.com/tabletop-db/tabletop/features/catalog"
	"github.com/tabletop-db/tabletop/features/report"
)

// Entries returns the catalogue's entries for reports.
func Entries() ([]report.Entry, error) {
	c, err := catalog.Read()
	if err != nil {
		return nil, err
	}
	var entries []report.Entry
	for _, e := range c.Entries {
		system, _, _ := strings.Cut(e.ID, "-")
		entry := report.Entry{ID: e.ID, Kind: string(e.Kind), Says: e.Says, Group: c.Systems[system].Name,
			ByLoad: e.Kind.ByLoad()}
		for _, one := range e.Clauses {
			entry.Clauses = append(entry.Clauses, report.Clause(one))
		}
		entries = append(entries, entry)
	}
	return entries, nil
}
