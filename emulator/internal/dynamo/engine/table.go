package engine

import (
	"errors"
	"slices"
	"sync/atomic"

	"github.com/tabletop-db/tabletop/emulator/internal/capacity"
	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/model/iam"
)

// The statuses of tables and indexes.
const (
	Creating = "CREATING"
	Updating = "UPDATING"
	Deleting = "DELETING"
	Active   = "ACTIVE"
)

// Status returns the status of a table that is in no transitional state.
func (t *Table) Status() string {
	switch {
	case t.Def.Archival != nil:
		return archived
	case t.Def.SSE != nil && t.Def.SSE.InaccessibleEncryptionDateTime != 0:
		return Inaccessible
	}
	return Active
}

const (
	Inaccessible = "INACCESSIBLE_ENCRYPTION_CREDENTIALS"
	archived     = "ARCHIVED"
)

// ErrStaleTable means that the table changed after an operation looked it up; the operation is retried.
var ErrStaleTable = errors.New("the table was changed meanwhile")

// Table is a table as item operations need it. It is immutable except for its counts: a change of the definition makes
// another Table and marks this one stale.
type Table struct {
	Def          *Definition
	Keys         KeySchema
	Indexes      []*Index // global ones first, each kind in the order of the definition
	Stats        *Stats
	Availability availability // nil: always available
	stale        atomic.Bool
	Gate         *store.Gate // passed by writes of its items
	// Log records its changes, nil if it has neither a stream nor point-in-time recovery; images is what the log
	// records.
	Log           *changelog.Log
	logImages     logImages
	pendingWrites *lag.Overlay // of its writes; nil if reads never lag

	Policy, StreamPolicy *iam.Policy // nil: none
}

// Index is a secondary index.
type Index struct {
	Name  string
	ID    uint32
	Local bool
	Keys  KeySchema
	// ProjectsAll means that every attribute is projected; otherwise Attributes lists the projected ones, keys
	// included.
	ProjectsAll bool
	Attributes  []string
	// Backfilling means that items older than the index are still being entered.
	Backfilling bool
	Stats       *Stats
}

// CheckCurrent returns ErrStaleTable if the table was changed or deleted since it was looked up. A read calls it after
// reading, because the table or index that it read may have been deleted already.
func (t *Table) CheckCurrent() error {
	if t.stale.Load() {
		return ErrStaleTable
	}
	return nil
}

// Stats counts what a table or an index holds, and measures its traffic.
type Stats struct {
	Items, Bytes atomic.Int64
	Meter        *capacity.Resource // nil for a local index, which uses the table's
}

// Add adds to the counts.
func (s *Stats) Add(items, bytes int64) {
	if items != 0 {
		s.Items.Add(items)
	}
	if bytes != 0 {
		s.Bytes.Add(bytes)
	}
}

// NewTable prepares a definition for use. counts returns the counts of a table or an index by its id.
func (s *Engine) NewTable(def *Definition, counts func(id uint32) *Stats) *Table {
	t := &Table{Def: def, Keys: def.resolveKeySchema(def.KeySchema), Stats: counts(def.ID), pendingWrites: s.PendingWrites, Gate: s.GateOf(def.ID)}
	for _, d := range def.Global {
		t.Indexes = append(t.Indexes, t.newIndex(d, false, counts))
	}
	for _, d := range def.Local {
		t.Indexes = append(t.Indexes, t.newIndex(d, true, counts))
	}
	t.parsePolicies()
	return t
}

func (t *Table) newIndex(d IndexDefinition, local bool, counts func(id uint32) *Stats) *Index {
	x := &Index{Name: d.Name, ID: d.ID, Local: local, Keys: t.Def.resolveKeySchema(d.KeySchema), Stats: counts(d.ID), Backfilling: d.Backfilling}
	if x.ProjectsAll = d.Projection.ProjectionType == "ALL"; x.ProjectsAll {
		return x
	}
	x.Attributes = slices.Concat(t.Keys.Names(), x.Keys.Names(), d.Projection.NonKeyAttributes)
	slices.Sort(x.Attributes)
	x.Attributes = slices.Compact(x.Attributes)
	return x
}

// Index returns the secondary index of that name.
func (t *Table) Index(name string) (*Index, bool) {
	for _, x := range t.Indexes {
		if x.Name == name {
			return x, true
		}
	}
	return nil, false
}

// HasLocalIndex reports whether the table has a local secondary index, and so item collections.
func (t *Table) HasLocalIndex() bool {
	return len(t.Def.Local) > 0
}

// resolveKeySchema resolves the types of a key schema.
func (d *Definition) resolveKeySchema(schema []KeySchemaElement) KeySchema {
	var k KeySchema
	for _, e := range schema {
		a := KeyAttribute{e.AttributeName, d.attributeType(e.AttributeName)}
		if e.KeyType == "HASH" {
			k.Partition = a
		} else {
			k.Sort = a
		}
	}
	return k
}

func (d *Definition) attributeType(name string) item.Type {
	for _, a := range d.Attributes {
		if a.AttributeName != name {
			continue
		}
		switch a.AttributeType {
		case "N":
			return item.Number
		case "B":
			return item.Binary
		}
	}
	return item.String
}

// AllStats returns the counts of a table and its indexes by id.
func (t *Table) AllStats() map[uint32]*Stats {
	all := map[uint32]*Stats{t.Def.ID: t.Stats}
	for _, x := range t.Indexes {
		all[x.ID] = x.Stats
	}
	return all
}
