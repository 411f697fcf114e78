package telemetry

import (
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/backend/tables"
	schema "github.com/tabletop-db/tabletop/backend/telemetry"
)

func (w *world) schemaChanges(sc *godog.ScenarioContext) {
	sc.Step(`^the schema has the version "([^"]*)"$`, func(want string) error {
		if got := schema.Schema("").Version; got != want || schema.Version != want {
			return fmt.Errorf("it says %s", got)
		}
		return nil
	})
	sc.Step(`^its checksum is the one locked with that version$`, func() error { return w.checksumIs(true) })
	sc.Step(`^its checksum is not the one locked with that version$`, func() error { return w.checksumIs(false) })
	sc.Step(`^the schema is changed: (.+)$`, w.change)
	sc.Step(`^the change is (allowed|refused)$`, w.changeIs)
}

// checksumIs checks the changed schema or, if there is none, the original.
func (w *world) checksumIs(locked bool) error {
	s := schema.Schema("")
	if w.changed != nil {
		s = *w.changed
	}
	if got := tables.Checksum(s); (got == schema.Checksum) != locked {
		return fmt.Errorf("it is %s, and %s is locked", got, schema.Checksum)
	}
	return nil
}

func (w *world) changeIs(want string) error {
	err := tables.Compatible(schema.Schema(""), *w.changed)
	if (err == nil) != (want == "allowed") {
		return fmt.Errorf("it is not: %v", err)
	}
	return nil
}

// changes returns changes to the table of readings, whose key has two parts, or to the table of keys, which has two
// indexes.
func changes() map[string]func(s *tables.Schema) {
	return map[string]func(s *tables.Schema){
		"a new optional attribute": func(s *tables.Schema) { addAttribute(s, false) },
		"a new required attribute": func(s *tables.Schema) { addAttribute(s, true) },
		"an attribute of another type": func(s *tables.Schema) {
			attributes := readingsOf(s).Attributes
			i := slices.IndexFunc(attributes, func(a tables.Attribute) bool { return a.Name == "timestamp_ms" })
			attributes[i].Type = "S"
		},
		"a removed attribute": func(s *tables.Schema) {
			t := readingsOf(s)
			t.Attributes = t.Attributes[:len(t.Attributes)-1]
		},
		"a new index": func(s *tables.Schema) {
			in := readingsOf(s).Create
			in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{
				AttributeName: aws.String("boot_id"), AttributeType: types.ScalarAttributeTypeS,
			})
			in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, types.GlobalSecondaryIndex{
				IndexName:  aws.String("by_boot"),
				KeySchema:  []types.KeySchemaElement{{AttributeName: aws.String("boot_id"), KeyType: types.KeyTypeHash}},
				Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
			})
		},
		"a removed index": func(s *tables.Schema) { i := indexesOf(s); *i = (*i)[:1] },
		"another sort key": func(s *tables.Schema) {
			readingsOf(s).Create.KeySchema[1].AttributeName = aws.String("batch_id")
		},
		"another index key": func(s *tables.Schema) {
			(*indexesOf(s))[0].KeySchema[0].AttributeName = aws.String("key_id")
		},
		"another expiry attribute": func(s *tables.Schema) { readingsOf(s).TTLAttribute = "timestamp_ms" },
		"a removed table":          func(s *tables.Schema) { s.Tables = s.Tables[1:] },
	}
}

func (w *world) change(what string) error {
	s := schema.Schema("")
	w.changed = &s
	do, ok := changes()[what]
	if !ok {
		return fmt.Errorf("no such change is known")
	}
	do(&s)
	return nil
}

func readingsOf(s *tables.Schema) *tables.Table { return tableOf(s, "device_readings") }

func indexesOf(s *tables.Schema) *[]types.GlobalSecondaryIndex {
	return &tableOf(s, "api_keys").Create.GlobalSecondaryIndexes
}

func tableOf(s *tables.Schema, name string) *tables.Table {
	i := slices.IndexFunc(s.Tables, func(t tables.Table) bool { return t.Name() == name })
	return &s.Tables[i]
}

func addAttribute(s *tables.Schema, required bool) {
	t := readingsOf(s)
	t.Attributes = append(t.Attributes, tables.Attribute{Name: "signal_dbm", Type: "N", Required: required})
}
