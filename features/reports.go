package features

import (
	"github.com/tabletop-db/tabletop/features/catalog"
	"github.com/tabletop-db/tabletop/features/report"
)

// writeReports adds the run to the folder's matrix.
func writeReports(dir string, run report.Run) ([]string, error) {
	c, err := catalog.Read()
	if err != nil {
		return nil, err
	}
	var entries []report.Entry
	for _, e := range c.Entries {
		entries = append(entries, report.Entry{ID: e.ID, Kind: string(e.Kind), Says: e.Says, ByLoad: e.Kind.ByLoad()})
	}
	return report.Write(dir, entries, run)
}
