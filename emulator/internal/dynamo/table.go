package dynamo

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

// errStaleTable says that a table was changed after an operation looked it up; the operation is run anew.
var errStaleTable = errors.New("the table was changed meanwhile")

// table is a table as operations on items need it. It does not change but for its counts: a change of the
// definition makes another table, and marks this one stale.
type table struct {
	def             *definition
	keys            keySchema
	indexes         []*index // global ones first, each kind in its order in the definition
	stats           *stats
	keyAvailability *keyAvailability // of the customer's key; nil where there is none
	stale           atomic.Bool
	gate            *store.Gate // passed by writes of its items
	// log is where its changes are kept, nil where nobody follows them or may wind the table back; images is what it keeps.
	log           *changelog.Log
	images        images
	pendingWrites *lag.Overlay // of its writes; nil where nothing lags

	policy, streamPolicy *iam.Policy // nil: none
}

// index is a secondary index.
type index struct {
	name  string
	id    uint32
	local bool
	keys  keySchema
	// all says that every attribute is projected; else attributes is what is, keys included.
	all        bool
	attributes []string
	// backfilling says that items from before the index are still being entered.
	backfilling bool
	stats       *stats
}

// current is errStaleTable if the table was changed, or deleted, since it was looked up. A read asks it when it has read:
// it may have read of a table or an index that was already gone.
func (t *table) current() error {
	if t.stale.Load() {
		return errStaleTable
	}
	return nil
}

// stats counts what a table or an index holds, and measures what is asked of it.
type stats struct {
	items, bytes atomic.Int64
	meter        *capacity.Resource // nil of a local index, which uses the table's
}

func (s *stats) add(items, bytes int64) {
	if items != 0 {
		s.items.Add(items)
	}
	if bytes != 0 {
		s.bytes.Add(bytes)
	}
}

// newTable prepares a definition for use. counts gives the counts of a table or index by its id.
func (s *Service) newTable(def *definition, counts func(id uint32) *stats) *table {
	t := &table{def: def, keys: def.keys(def.KeySchema), stats: counts(def.ID), pendingWrites: s.pendingWrites, gate: s.gateOf(def.ID)}
	for _, d := range def.Global {
		t.indexes = append(t.indexes, t.newIndex(d, false, counts))
	}
	for _, d := range def.Local {
		t.indexes = append(t.indexes, t.newIndex(d, true, counts))
	}
	t.compilePolicies()
	return t
}

func (t *table) newIndex(d indexDefinition, local bool, counts func(id uint32) *stats) *index {
	x := &index{name: d.Name, id: d.ID, local: local, keys: t.def.keys(d.KeySchema), stats: counts(d.ID), backfilling: d.Backfilling}
	if x.all = d.Projection.ProjectionType == "ALL"; x.all {
		return x
	}
	x.attributes = slices.Concat(t.keys.names(), x.keys.names(), d.Projection.NonKeyAttributes)
	slices.Sort(x.attributes)
	x.attributes = slices.Compact(x.attributes)
	return x
}

// index finds a secondary index.
func (t *table) index(name string) (*index, bool) {
	for _, x := range t.indexes {
		if x.name == name {
			return x, true
		}
	}
	return nil, false
}

// hasLocal says whether the table has a local secondary index, and so item collections.
func (t *table) hasLocal() bool {
	return len(t.def.Local) > 0
}

// keys resolves a key schema's types.
func (d *definition) keys(schema []keySchemaElement) keySchema {
	var k keySchema
	for _, e := range schema {
		a := keyAttribute{e.AttributeName, d.attributeType(e.AttributeName)}
		if e.KeyType == "HASH" {
			k.hash = a
		} else {
			k.sort = a
		}
	}
	return k
}

func (d *definition) attributeType(name string) item.Type {
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
