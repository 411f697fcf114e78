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
	"github.com/tabletop-db/tabletop/internal/iam"
)

// The states of tables and indexes.
const (
	Creating = "CREATING"
	Updating = "UPDATING"
	Deleting = "DELETING"
	Active   = "ACTIVE"
)

// Status is the state of a table that nothing is under way with.
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

// ErrStaleTable says that a table was changed after an operation looked it up; the operation is run anew.
var ErrStaleTable = errors.New("the table was changed meanwhile")

// Table is a table as operations on items need it. It does not change but for its counts: a change of the
// definition makes another table, and marks this one stale.
type Table struct {
	Def          *Definition
	Keys         KeySchema
	Indexes      []*Index // global ones first, each kind in its order in the definition
	Stats        *Stats
	Availability availability // nil: always available
	stale        atomic.Bool
	Gate         *store.Gate // passed by writes of its items
	// Log is where its changes are kept, nil where nobody follows them or may wind the table back; images is what it
	// keeps.
	Log           *changelog.Log
	images        images
	pendingWrites *lag.Overlay // of its writes; nil where nothing lags

	Policy, StreamPolicy *iam.Policy // nil: none
}

// Index is a secondary index.
type Index struct {
	Name  string
	ID    uint32
	Local bool
	Keys  KeySchema
	// All says that every attribute is projected; else attributes is what is, keys included.
	All        bool
	Attributes []string
	// Backfilling says that items from before the index are still being entered.
	Backfilling bool
	Stats       *Stats
}

// Current is errStaleTable if the table was changed, or deleted, since it was looked up. A read asks it when it has
// read: it may have read of a table or an index that was already gone.
func (t *Table) Current() error {
	if t.stale.Load() {
		return ErrStaleTable
	}
	return nil
}

// Stats counts what a table or an index holds, and measures what is asked of it.
type Stats struct {
	Items, Bytes atomic.Int64
	Meter        *capacity.Resource // nil of a local index, which uses the table's
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

// NewTable prepares a definition for use. counts gives the counts of a table or index by its id.
func (s *Engine) NewTable(def *Definition, counts func(id uint32) *Stats) *Table {
	t := &Table{Def: def, Keys: def.keys(def.KeySchema), Stats: counts(def.ID), pendingWrites: s.PendingWrites, Gate: s.GateOf(def.ID)}
	for _, d := range def.Global {
		t.Indexes = append(t.Indexes, t.newIndex(d, false, counts))
	}
	for _, d := range def.Local {
		t.Indexes = append(t.Indexes, t.newIndex(d, true, counts))
	}
	t.compilePolicies()
	return t
}

func (t *Table) newIndex(d IndexDefinition, local bool, counts func(id uint32) *Stats) *Index {
	x := &Index{Name: d.Name, ID: d.ID, Local: local, Keys: t.Def.keys(d.KeySchema), Stats: counts(d.ID), Backfilling: d.Backfilling}
	if x.All = d.Projection.ProjectionType == "ALL"; x.All {
		return x
	}
	x.Attributes = slices.Concat(t.Keys.Names(), x.Keys.Names(), d.Projection.NonKeyAttributes)
	slices.Sort(x.Attributes)
	x.Attributes = slices.Compact(x.Attributes)
	return x
}

// Index finds a secondary index.
func (t *Table) Index(name string) (*Index, bool) {
	for _, x := range t.Indexes {
		if x.Name == name {
			return x, true
		}
	}
	return nil, false
}

// HasLocal says whether the table has a local secondary index, and so item collections.
func (t *Table) HasLocal() bool {
	return len(t.Def.Local) > 0
}

// keys resolves a key schema's types.
func (d *Definition) keys(schema []KeySchemaElement) KeySchema {
	var k KeySchema
	for _, e := range schema {
		a := KeyAttribute{e.AttributeName, d.attributeType(e.AttributeName)}
		if e.KeyType == "HASH" {
			k.Hash = a
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

// AllStats are the counts of a table and its indexes by their ids.
func (t *Table) AllStats() map[uint32]*Stats {
	all := map[uint32]*Stats{t.Def.ID: t.Stats}
	for _, x := range t.Indexes {
		all[x.ID] = x.Stats
	}
	return all
}
