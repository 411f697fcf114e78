package telemetry

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/tables"
)

// TestSchemaIsLocked fails when a table definition changes without a new version (TL-R14).
func TestSchemaIsLocked(t *testing.T) {
	t.Parallel()
	if got := tables.Checksum(Schema("")); got != Checksum {
		t.Errorf("the table definitions changed but the version is still %s.\n"+
			"Give the change a new Version and the Checksum %s, if tables.Compatible lets it pass.", Version, got)
	}
	if Version != "1.0.0" {
		t.Errorf("version %s: record the checksum of each released version here, so that it stays locked", Version)
	}
}

// TestSchemaChanges checks the document's migration guidelines: permitted and refused changes.
func TestSchemaChanges(t *testing.T) {
	t.Parallel()
	const devices, readings = 0, 1
	cases := []struct {
		name    string
		change  func(all []tables.Table)
		refused string // part of the reason; empty for a permitted change
	}{
		{"nothing", func([]tables.Table) {}, ""},
		{"a new optional attribute", func(all []tables.Table) {
			all[devices].Attributes = append(all[devices].Attributes, tables.Optional("battery", "N"))
		}, ""},
		{"a new required attribute", func(all []tables.Table) {
			all[devices].Attributes = append(all[devices].Attributes, tables.Required("battery", "N"))
		}, "battery is required"},
		{"a new index", func(all []tables.Table) {
			in := all[readings].Create
			in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, tables.GlobalIndex("by_batch",
				tables.Hash("batch_id")))
		}, ""},
		{"an index goes", func(all []tables.Table) { all[devices].Create.GlobalSecondaryIndexes = nil }, ""},
		{"an index gets another key", func(all []tables.Table) {
			all[devices].Create.GlobalSecondaryIndexes[0].KeySchema = tables.Hash("gsi1sk")
		}, "index gsi1 changes"},
		{"another partition key", func(all []tables.Table) {
			all[devices].Create.KeySchema[0].AttributeName = aws.String("confirmation_id")
		}, "create a new table"},
		{"a key of another type", func(all []tables.Table) {
			all[readings].Create.AttributeDefinitions[1].AttributeType = types.ScalarAttributeTypeN
		}, "create a new table"},
		{"a sort key comes", func(all []tables.Table) {
			all[devices].Create.KeySchema = tables.HashAndRange("hardware_id", "gsi1sk")
		}, "create a new table"},
		{"an attribute changes its type", func(all []tables.Table) {
			all[readings].Attributes[2].Type = "S"
		}, "timestamp_ms changes"},
		{"an attribute goes", func(all []tables.Table) {
			all[readings].Attributes = all[readings].Attributes[1:]
		}, "hardware_id is missing"},
		{"TTL moves", func(all []tables.Table) { all[readings].TTLAttribute = "timestamp_ms" }, "the TTL attribute changes"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			changed := Schema("")
			c.change(changed.Tables)
			err := tables.Compatible(Schema(""), changed)
			if c.refused == "" && err != nil {
				t.Errorf("refused: %v", err)
			}
			if c.refused != "" && (err == nil || !strings.Contains(err.Error(), c.refused)) {
				t.Errorf("error %v, want one with %q", err, c.refused)
			}
			if same := tables.Checksum(changed) == Checksum; same != (c.name == "nothing") {
				t.Errorf("checksum is the locked one: %v", same)
			}
		})
	}
	if err := tables.Compatible(Schema(""), tables.Schema{}); err == nil {
		t.Error("a schema without its tables passes")
	}
}

// TestTablesAsDocumented checks TL-O1: four tables, their indexes, and TTL on two of them.
func TestTablesAsDocumented(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	got, err := tables.Describe(t.Context(), w.client, Schema(w.prefix).Tables)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []tables.Description{
		{Name: "devices", Indexes: []string{"gsi1"}},
		{Name: "device_readings", TTLAttribute: "expiration_time"},
		{Name: "processed_batches", TTLAttribute: "expiration_time"},
		{Name: "api_keys", Indexes: []string{"api_key_hash_index", "gsi1"}},
	} {
		slices.Sort(got[i].Indexes)
		if got[i].Name != w.prefix+want.Name || got[i].Status != "ACTIVE" || got[i].TTLAttribute != want.TTLAttribute ||
			!slices.Equal(got[i].Indexes, want.Indexes) {
			t.Errorf("%+v, want %+v", got[i], want)
		}
	}
}

// TestItemsKeepSchema compares one stored item per table with the document: every required attribute exists, no
// undocumented one does, and each has its type.
func TestItemsKeepSchema(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.register(1)
	w.want(200, w.call("PUT", "/telemetry/devices/"+id+"/name", `{"friendly_name":"one"}`))
	w.deliver(readingOfDevice(id, noon))
	for _, table := range Schema(w.prefix).Tables {
		out, err := w.client.Scan(t.Context(), &dynamodb.ScanInput{TableName: table.Create.TableName})
		if err != nil || len(out.Items) != 1 {
			t.Fatalf("%s: %d items, %v", table.Name(), len(out.Items), err)
		}
		for name, value := range out.Items[0] {
			a, ok := table.Attribute(name)
			if got := strings.TrimPrefix(fmt.Sprintf("%T", value), "*types.AttributeValueMember"); !ok || got != a.Type {
				t.Errorf("%s: %s is stored as %s, documented as %q", table.Name(), name, got, a.Type)
			}
		}
		for _, a := range table.Attributes {
			if _, exists := out.Items[0][a.Name]; a.Required && !exists {
				t.Errorf("%s: required %s is missing", table.Name(), a.Name)
			}
		}
	}
}
