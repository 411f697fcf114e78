package datafile

import (
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// modelFile is a model as NoSQL Workbench exports it, with one table.
type modelFile struct {
	ModelName     string
	ModelMetadata struct{ Author, DateCreated, DateLastModified, Description, AWSService, Version string }
	DataModel     [1]modelTable
}

type modelTable struct {
	TableName                   string
	KeyAttributes               modelKey
	NonKeyAttributes            []AttributeDefinition
	TableFacets                 []struct{}
	GlobalSecondaryIndexes      []modelIndex
	LocalSecondaryIndexes       []modelIndex `json:",omitempty"`
	TableData                   []json.RawMessage
	DataAccess                  struct{ MySql struct{} }
	BillingMode                 string
	ProvisionedCapacitySettings *modelCapacity `json:",omitempty"`
}

type modelKey struct {
	PartitionKey AttributeDefinition
	SortKey      *AttributeDefinition `json:",omitempty"`
}

type modelIndex struct {
	IndexName     string
	KeyAttributes modelKey
	Projection    Projection
}

type modelCapacity struct{ ProvisionedThroughput *Throughput }

// modelWriter collects the items of a table for its model, which is written by Close.
type modelWriter struct {
	out   io.Writer
	file  modelFile
	known map[string]bool // attributes that the model has
	bytes int             // of the items
}

// NewWorkbenchWriter returns a writer of a model of NoSQL Workbench that has the table, with the items as its sample
// data. It holds them until Close. Models have no capacity of indexes. Errors: an index that models cannot describe;
// Write refuses more than 32 MB, half of what New reads: names of attributes come besides.
func NewWorkbenchWriter(out io.Writer, s *Schema, created time.Time) (Writer, error) {
	w := &modelWriter{out: out, known: map[string]bool{}}
	date := created.UTC().Format("Jan 02, 2006, 03:04 PM")
	w.file.ModelName, w.file.ModelMetadata.DateCreated, w.file.ModelMetadata.DateLastModified = s.TableName, date, date
	w.file.ModelMetadata.AWSService, w.file.ModelMetadata.Version = "Amazon DynamoDB", "3.0"
	table, err := newModelTable(s)
	w.file.DataModel[0] = table
	for _, name := range s.Key() {
		w.known[name] = true
	}
	for _, a := range s.AttributeDefinitions {
		w.define(a.AttributeName, a.AttributeType)
	}
	return w, err
}

func newModelTable(s *Schema) (t modelTable, err error) {
	t = modelTable{TableName: s.TableName, NonKeyAttributes: []AttributeDefinition{}, TableFacets: []struct{}{},
		GlobalSecondaryIndexes: []modelIndex{}, TableData: []json.RawMessage{}, BillingMode: onDemand}
	if s.BillingMode != onDemand && s.ProvisionedThroughput.isSet() {
		t.BillingMode, t.ProvisionedCapacitySettings = provisioned, &modelCapacity{s.ProvisionedThroughput}
	}
	if t.KeyAttributes, err = s.modelKey(s.KeySchema); err != nil {
		return t, fmt.Errorf("table %q: %w", s.TableName, err)
	}
	if t.GlobalSecondaryIndexes, err = s.modelIndexes(t.GlobalSecondaryIndexes, s.GlobalSecondaryIndexes); err != nil {
		return t, err
	}
	t.LocalSecondaryIndexes, err = s.modelIndexes(nil, s.LocalSecondaryIndexes)
	return t, err
}

func (s *Schema) modelIndexes(all []modelIndex, indexes []Index) ([]modelIndex, error) {
	for _, x := range indexes {
		key, err := s.modelKey(x.KeySchema)
		if err != nil {
			return nil, fmt.Errorf("index %q: %w", x.IndexName, err)
		}
		all = append(all, modelIndex{x.IndexName, key, x.Projection})
	}
	return all, nil
}

// modelKey returns a key as models have it. Errors: several attributes in a part.
func (s *Schema) modelKey(elements []KeyElement) (key modelKey, err error) {
	types := s.KeyTypes()
	for _, e := range elements {
		a := AttributeDefinition{e.AttributeName, types[e.AttributeName]}
		switch {
		case e.KeyType == "HASH" && key.PartitionKey.AttributeName == "":
			key.PartitionKey = a
		case e.KeyType == "RANGE" && key.SortKey == nil:
			key.SortKey = &a
		default:
			return key, fmt.Errorf("a model of NoSQL Workbench has no keys of several attributes, as %q has", e.AttributeName)
		}
	}
	return key, nil
}

// define adds an attribute to the model, with the type of its first value.
func (w *modelWriter) define(name string, of Type) {
	if w.known[name] {
		return
	}
	w.known[name] = true
	table := &w.file.DataModel[0]
	table.NonKeyAttributes = append(table.NonKeyAttributes, AttributeDefinition{name, of})
}

// Write implements Writer.
func (w *modelWriter) Write(item Item) error {
	text := AppendDynamoJSON(nil, item)
	if w.bytes += len(text); w.bytes > maxModelBytes/2 {
		return fmt.Errorf("a model of NoSQL Workbench has at most %d MB of items: use a filter", maxModelBytes>>21)
	}
	for _, a := range item {
		w.define(a.Name, a.Value.Type)
	}
	w.file.DataModel[0].TableData = append(w.file.DataModel[0].TableData, text)
	return nil
}

// Close implements Writer.
func (w *modelWriter) Close() error {
	out := json.NewEncoder(w.out)
	out.SetEscapeHTML(false)
	return out.Encode(w.file)
}

// Abort implements Writer.
func (w *modelWriter) Abort() {}
