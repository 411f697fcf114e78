package engine

import (
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// NewTable prepares a definition for use. counts returns the counts of a table or an index by its id.
func (s *Engine) NewTable(def *Definition, counts func(id uint32) *Stats) *Table {
	t := &Table{Def: def, Keys: def.resolveKeySchema(def.KeySchema), Stats: counts(def.ID), pendingWrites: s.PendingWrites,
		Gate: s.GateOf(def.ID)}
	for _, d := range def.Global {
		t.Indexes = append(t.Indexes, t.newIndex(d, false, counts))
	}
	for _, d := range def.Local {
		t.Indexes = append(t.Indexes, t.newIndex(d, true, counts))
	}
	for _, d := range def.Vectors {
		t.Vectors = append(t.Vectors, t.newVector(d, counts))
	}
	t.replicas = s.newReplicas(def)
	t.parsePolicies()
	return t
}

func (t *Table) newIndex(d IndexDefinition, local bool, counts func(id uint32) *Stats) *Index {
	x := &Index{Name: d.Name, ID: d.ID, Local: local, Keys: t.Def.resolveKeySchema(d.KeySchema), Stats: counts(d.ID),
		Backfilling: d.Backfilling}
	x.PageKey = slices.Clone(t.Keys.Names())
	for _, name := range x.Keys.Names() {
		if !slices.Contains(x.PageKey, name) {
			x.PageKey = append(x.PageKey, name)
		}
	}
	if x.ProjectsAll = d.Projection.ProjectionType == "ALL"; x.ProjectsAll {
		return x
	}
	x.Attributes = slices.Concat(t.Keys.Names(), x.Keys.Names(), d.Projection.NonKeyAttributes)
	slices.Sort(x.Attributes)
	x.Attributes = slices.Compact(x.Attributes)
	return x
}

// resolveKeySchema resolves the types of a key schema.
func (d *Definition) resolveKeySchema(schema []KeySchemaElement) KeySchema {
	var hash, sort []KeyAttribute
	for _, e := range schema {
		a := KeyAttribute{Name: e.AttributeName, Type: d.attributeType(e.AttributeName)}
		if e.KeyType == "HASH" {
			hash = append(hash, a)
		} else {
			sort = append(sort, a)
		}
	}
	return newKeySchema(hash, sort)
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
