package datafile

import (
	"encoding/json"
	"fmt"
	"io"
)

// workbenchModel is a model of NoSQL Workbench, as it exports them. The members are those of the sample models in
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/workbench.html.
type workbenchModel struct{ DataModel []workbenchTable }

type workbenchTable struct {
	TableName                   string
	KeyAttributes               workbenchKey
	GlobalSecondaryIndexes      []workbenchIndex
	LocalSecondaryIndexes       []workbenchIndex
	BillingMode                 string
	ProvisionedCapacitySettings struct{ ProvisionedThroughput *Throughput }
	TableData                   []json.RawMessage
}

type workbenchKey struct{ PartitionKey, SortKey AttributeDefinition }

type workbenchIndex struct {
	IndexName     string
	KeyAttributes workbenchKey
	Projection    Projection
}

// workbenchData reads the sample data of a model, table by table.
type workbenchData struct {
	tables []workbenchTable
	item   int // of the first table
}

// parseWorkbench reads a model: its tables, and their sample data.
func parseWorkbench(text []byte) (schemas []*Schema, data *workbenchData, err error) {
	var model workbenchModel
	if err := json.Unmarshal(text, &model); err != nil {
		return nil, nil, fmt.Errorf("not a model of NoSQL Workbench: %w", err)
	}
	for i := range model.DataModel {
		table := &model.DataModel[i]
		if table.TableName == "" || table.KeyAttributes.PartitionKey.AttributeName == "" {
			return nil, nil, fmt.Errorf("not a model of NoSQL Workbench: table %d has no name or no partition key", i+1)
		}
		schemas = append(schemas, table.schema())
	}
	if len(schemas) == 0 {
		return nil, nil, fmt.Errorf("the model of NoSQL Workbench has no tables")
	}
	return schemas, &workbenchData{tables: model.DataModel}, nil
}

// schema returns the table. It is on demand unless the model says that it is provisioned.
func (t *workbenchTable) schema() *Schema {
	s := &Schema{TableName: t.TableName, BillingMode: onDemand}
	s.KeySchema = s.addKey(t.KeyAttributes)
	if units := t.ProvisionedCapacitySettings.ProvisionedThroughput; t.BillingMode == provisioned && units.isSet() {
		s.BillingMode, s.ProvisionedThroughput = provisioned, units
	}
	for _, x := range t.GlobalSecondaryIndexes {
		s.GlobalSecondaryIndexes = append(s.GlobalSecondaryIndexes, Index{IndexName: x.IndexName,
			KeySchema: s.addKey(x.KeyAttributes), Projection: x.projection(), ProvisionedThroughput: s.ProvisionedThroughput})
	}
	for _, x := range t.LocalSecondaryIndexes {
		s.LocalSecondaryIndexes = append(s.LocalSecondaryIndexes, Index{IndexName: x.IndexName,
			KeySchema: s.addKey(x.KeyAttributes), Projection: x.projection()})
	}
	return s
}

func (x *workbenchIndex) projection() Projection {
	if x.Projection.ProjectionType == "" {
		return Projection{ProjectionType: "ALL"}
	}
	return x.Projection
}

// addKey defines the attributes of a key and returns its elements.
func (s *Schema) addKey(k workbenchKey) []KeyElement {
	s.define(k.PartitionKey.AttributeName, k.PartitionKey.AttributeType)
	elements := []KeyElement{{k.PartitionKey.AttributeName, "HASH"}}
	if k.SortKey.AttributeName != "" {
		s.define(k.SortKey.AttributeName, k.SortKey.AttributeType)
		elements = append(elements, KeyElement{k.SortKey.AttributeName, "RANGE"})
	}
	return elements
}

// next returns the next item. Its line is its number in its table, because models are one text without lines.
func (d *workbenchData) next() (Record, error) {
	for len(d.tables) > 0 {
		table := &d.tables[0]
		if d.item < len(table.TableData) {
			d.item++
			record, err := decode(table.TableData[d.item-1], int64(d.item), DynamoJSON, false)
			record.Table, record.File = table.TableName, table.TableName
			if invalid, ok := err.(*Invalid); ok {
				invalid.File = table.TableName
			}
			return record, err
		}
		d.tables, d.item = d.tables[1:], 0
	}
	return Record{}, io.EOF
}
