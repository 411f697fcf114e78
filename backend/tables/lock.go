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

// Checksum is the hex SHA-256 of the table definitions. Two schemas have the same checksum when they have the same
// tables, keys, indexes, TTL and attributes, in whatever order each is listed; the version is not part of it. Take
// it of a schema without prefix: names count.
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

// Compatible says whether data written under old may be served under new. Optional attributes and indexes may come
// and indexes may go; an error names the first change that needs a migration or a new table (the document's
// "Schema Migration Guidelines").
func Compatible(old, new Schema) error {
	for _, was := range old.Tables {
		i := slices.IndexFunc(new.Tables, func(t Table) bool { return t.Name() == was.Name() })
		if i < 0 {
			return fmt.Errorf("table %s is gone: its data has to be migrated first", was.Name())
		}
		if err := compatible(shapeOf(was), shapeOf(new.Tables[i])); err != nil {
			return fmt.Errorf("table %s: %w", was.Name(), err)
		}
	}
	return nil
}

func compatible(was, now shape) error {
	if was.Keys != now.Keys {
		return fmt.Errorf("the key %s cannot become %s: make a new table and move the data", was.Keys, now.Keys)
	}
	if was.TTL != "" && was.TTL != now.TTL { // where nothing expired, stored items lack the attribute and stay
		return fmt.Errorf("TTL moves from %q to %q: items that expire by the old one would stay", was.TTL, now.TTL)
	}
	for _, index := range was.Indexes {
		i := slices.IndexFunc(now.Indexes, func(n indexShape) bool { return n.Name == index.Name })
		if i >= 0 && now.Indexes[i] != index {
			return fmt.Errorf("index %s changes: add one of another name and remove this", index.Name)
		}
	}
	return compatibleAttributes(was.Attributes, now.Attributes)
}

func compatibleAttributes(was, now []Attribute) error {
	for _, a := range was {
		i := slices.IndexFunc(now, func(n Attribute) bool { return n.Name == a.Name })
		switch {
		case i < 0:
			return fmt.Errorf("attribute %s is gone: stored items still have it", a.Name)
		case now[i].Type != a.Type:
			return fmt.Errorf("attribute %s changes from %s to %s: stored items have the old type", a.Name, a.Type, now[i].Type)
		case now[i].Required && !a.Required:
			return fmt.Errorf("attribute %s becomes required: stored items may lack it", a.Name)
		}
	}
	for _, n := range now {
		if n.Required && !slices.ContainsFunc(was, func(a Attribute) bool { return a.Name == n.Name }) {
			return fmt.Errorf("new attribute %s is required: stored items lack it; make it optional", n.Name)
		}
	}
	return nil
}

// shape is what the lock compares: plain values in a fixed order.
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
		s.Indexes = append(s.Indexes, indexShape{*g.IndexName, "global", keyText(g.KeySchema, types), projectionText(g.Projection)})
	}
	for _, l := range in.LocalSecondaryIndexes {
		s.Indexes = append(s.Indexes, indexShape{*l.IndexName, "local", keyText(l.KeySchema, types), projectionText(l.Projection)})
	}
	slices.SortFunc(s.Indexes, func(a, b indexShape) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(s.Attributes, func(a, b Attribute) int { return strings.Compare(a.Name, b.Name) })
	return s
}

// keyText writes a key as "hardware_id S HASH, ts_batch S RANGE".
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
