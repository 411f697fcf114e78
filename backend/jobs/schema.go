package jobs

import "github.com/tabletop-db/tabletop/backend/tables"

// Table is the name of the jobs table, without the prefix.
const Table = "tabletop-jobs"

// Schema returns the schema of the jobs table: a partition for each job, with one item for its latest run and one for
// each segment. Items expire 90 days after their last write.
func Schema(prefix string) tables.Schema {
	return tables.Schema{System: "jobs", Version: "1.0.0", Tables: []tables.Table{{
		Create:       tables.OnDemand(prefix+Table, tables.HashAndRange("job", "part")),
		TTLAttribute: "expiresAt",
		Attributes: []tables.Attribute{
			tables.Required("job", "S"), tables.Required("part", "S"), tables.Required("run", "N"),
			tables.Optional("segments", "N"), tables.Optional("parameters", "M"), tables.Optional("startedAt", "S"),
			tables.Optional("finishedAt", "S"), tables.Optional("version", "N"), tables.Optional("owner", "S"),
			tables.Optional("until", "N"), tables.Optional("after", "M"), tables.Optional("counts", "M"),
			tables.Optional("done", "BOOL"), tables.Required("expiresAt", "N"),
		},
	}}}
}
