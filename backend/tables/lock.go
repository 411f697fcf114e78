package tables

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Checksum returns the hex SHA-256 of the table definitions. Two schemas have the same checksum when they have the same
// tables, keys, indexes, TTL and attributes, listed in any order; the version does not count. Names count, so use a
// schema without a prefix.
func Checksum(s Schema) string {
	shapes := make([]shape, 0, len(s.Tables))
	for _, t := range s.Tables {
		shapes = append(shapes, shapeOf(t))
	}
	slices.SortFunc(shapes, func(a, b shape) int { return strings.Compare(a.Name, b.Name) })
	text, _ := json.Marshal(shapes) // strings, bools and slices of them: cannot fail
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Compatible reports, as nil, that data written under old can be served under new. Optional attributes and indexes may
// be added, and indexes may be removed. Errors: the first change that needs a migration or a new table (the document's
// "Schema Migration Guidelines").
func Compatible(old, new Schema) error {
	for _, previous := range old.Tables {
		i := slices.IndexFunc(new.Tables, func(t Table) bool { return t.Name() == previous.Name() })
		if i < 0 {
			return fmt.Errorf("table %s is missing in the new schema: migrate its data first", previous.Name())
		}
		if err := compatible(shapeOf(previous), shapeOf(new.Tables[i])); err != nil {
			return fmt.Errorf("table %s: %w", previous.Name(), err)
		}
	}
	return nil
}

func compatible(old, current shape) error {
	if old.Keys != current.Keys {
		return fmt.Errorf("the key %s cannot change to %s: create a new table and migrate the data", old.Keys, current.Keys)
	}
	if old.TTL != "" && old.TTL != current.TTL { // without a TTL before, stored items lack the attribute and simply stay
		return fmt.Errorf("the TTL attribute changes from %q to %q: items that expire by the old one would never be deleted",
			old.TTL, current.TTL)
	}
	for _, index := range old.Indexes {
		i := slices.IndexFunc(current.Indexes, func(n indexShape) bool { return n.Name == index.Name })
		if i >= 0 && current.Indexes[i] != index {
			return fmt.Errorf("index %s changes: add an index with another name and remove this one", index.Name)
		}
	}
	return compatibleAttributes(old.Attributes, current.Attributes)
}

func compatibleAttributes(old, current []Attribute) error {
	for _, a := range old {
		i := slices.IndexFunc(current, func(n Attribute) bool { return n.Name == a.Name })
		switch {
		case i < 0:
			return fmt.Errorf("attribute %s is missing in the new schema: stored items still have it", a.Name)
		case current[i].Type != a.Type:
			return fmt.Errorf("attribute %s changes from %s to %s: stored items have the old type", a.Name, a.Type,
				current[i].Type)
		case current[i].Required && !a.Required:
			return fmt.Errorf("attribute %s becomes required: stored items may lack it", a.Name)
		}
	}
	for _, n := range current {
		if n.Required && !slices.ContainsFunc(old, func(a Attribute) bool { return a.Name == n.Name }) {
			return fmt.Errorf("new attribute %s is required: stored items lack it; make it optional", n.Name)
		}
	}
	return nil
}

// shape is a description that the lock compares: plain values in a fixed order.
type shape struct {
	Name, Keys, TTL, Billing string
	Indexes                  []indexShape
	Attributes               []Attribute
}

type indexShape struct{ Name, Kind, Keys, Projection string }

func shapeOf(t Table) shape {
	in := t.Create
	types := map[string]string{}
	for _, d := range in.AttributeDefinitions {
		types[*d.AttributeName] = string(d.AttributeType)
	}
	s := shape{
		Name: *in.TableName, Keys: keyText(in.KeySchema, types), TTL: t.TTLAttribute,
		Billing: string(in.BillingMode), Attributes: slices.Clone(t.Attributes),
	}
	for _, g := range in.GlobalSecondaryIndexes {
		s.Indexes = append(s.Indexes, indexShape{*g.IndexName, "global", keyText(g.KeySchema, types),
			projectionText(g.Projection)})
	}
	for _, l := range in.LocalSecondaryIndexes {
		s.Indexes = append(s.Indexes, indexShape{*l.IndexName, "local", keyText(l.KeySchema, types),
			projectionText(l.Projection)})
	}
	slices.SortFunc(s.Indexes, func(a, b indexShape) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(s.Attributes, func(a, b Attribute) int { return strings.Compare(a.Name, b.Name) })
	return s
}

// keyText formats a key as "hardware_id S HASH, ts_batch S RANGE".
func keyText(key []types.KeySchemaElement, attributeTypes map[string]string) string {
	parts := make([]string, 0, len(key))
	for _, k := range key {
		parts = append(parts, fmt.Sprintf("%s %s %s", *k.AttributeName, attributeTypes[*k.AttributeName], k.KeyType))
	}
	return strings.Join(parts, ", ")
}

func projectionText(p *types.Projection) string {
	names := slices.Sorted(slices.Values(p.NonKeyAttributes))
	return strings.TrimSpace(string(p.ProjectionType) + " " + strings.Join(names, " "))
}
