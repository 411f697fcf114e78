package datafile

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Schema is a table that a file describes, in the members of CreateTable.
type Schema struct {
	TableName              string
	AttributeDefinitions   []AttributeDefinition
	KeySchema              []KeyElement
	BillingMode            string       `json:",omitempty"`
	ProvisionedThroughput  *Throughput  `json:",omitempty"`
	GlobalSecondaryIndexes []Index      `json:",omitempty"`
	LocalSecondaryIndexes  []Index      `json:",omitempty"`
	StreamSpecification    *StreamSpecs `json:",omitempty"`
	TableClass             string       `json:",omitempty"`
}

// AttributeDefinition is the type of an attribute of a key.
type AttributeDefinition struct {
	AttributeName string
	AttributeType Type
}

// KeyElement is an attribute of a key: HASH or RANGE.
type KeyElement struct{ AttributeName, KeyType string }

// Throughput is provisioned capacity, in units per second.
type Throughput struct{ ReadCapacityUnits, WriteCapacityUnits int64 }

// Index is a secondary index.
type Index struct {
	IndexName             string
	KeySchema             []KeyElement
	Projection            Projection
	ProvisionedThroughput *Throughput `json:",omitempty"`
}

// Projection is which attributes an index has.
type Projection struct {
	ProjectionType   string
	NonKeyAttributes []string `json:",omitempty"`
}

// StreamSpecs is the stream of a table.
type StreamSpecs struct {
	StreamEnabled  bool
	StreamViewType string `json:",omitempty"`
}

const (
	onDemand    = "PAY_PER_REQUEST"
	provisioned = "PROVISIONED"
)

// KeyTypes returns the types of the attributes of all keys, by name.
func (s *Schema) KeyTypes() map[string]Type {
	all := map[string]Type{}
	for _, a := range s.AttributeDefinitions {
		all[a.AttributeName] = a.AttributeType
	}
	return all
}

// Key returns the names of the attributes of the table's key.
func (s *Schema) Key() (names []string) {
	for _, k := range s.KeySchema {
		names = append(names, k.AttributeName)
	}
	return names
}

// define adds the type of an attribute of a key, once.
func (s *Schema) define(name string, of Type) {
	if name == "" || slices.ContainsFunc(s.AttributeDefinitions, func(a AttributeDefinition) bool {
		return a.AttributeName == name
	}) {
		return
	}
	s.AttributeDefinitions = append(s.AttributeDefinitions, AttributeDefinition{name, of})
}

// described is a table as DescribeTable returns it: what CreateTable takes, with the billing mode elsewhere.
type described struct {
	Schema
	BillingModeSummary *struct{ BillingMode string }
	TableClassSummary  *struct{ TableClass string }
}

// ParseDescription reads the output of describe-table, or a request for CreateTable. Errors: neither of them.
func ParseDescription(text []byte) (*Schema, error) {
	var file struct {
		Table, TableDescription *described
		described
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("not the description of a table: %w", err)
	}
	d := file.described
	if file.Table != nil {
		d = *file.Table
	} else if file.TableDescription != nil {
		d = *file.TableDescription
	}
	if d.TableName == "" || len(d.KeySchema) == 0 {
		return nil, fmt.Errorf("not the description of a table: it has no TableName or no KeySchema")
	}
	return d.schema(), nil
}

// schema returns what creates the same table. Capacity of 0 means on demand.
func (d *described) schema() *Schema {
	s := d.Schema
	if d.BillingModeSummary != nil {
		s.BillingMode = d.BillingModeSummary.BillingMode
	}
	if d.TableClassSummary != nil {
		s.TableClass = d.TableClassSummary.TableClass
	}
	if s.BillingMode != provisioned && !s.ProvisionedThroughput.isSet() {
		s.BillingMode = onDemand
	}
	s.omitCapacity()
	return &s
}

func (t *Throughput) isSet() bool {
	return t != nil && t.ReadCapacityUnits > 0 && t.WriteCapacityUnits > 0
}

// omitCapacity removes the capacity of a table on demand, which descriptions have and CreateTable refuses.
func (s *Schema) omitCapacity() {
	if s.BillingMode != onDemand {
		return
	}
	s.ProvisionedThroughput = nil
	for i := range s.GlobalSecondaryIndexes {
		s.GlobalSecondaryIndexes[i].ProvisionedThroughput = nil
	}
}
