// Package tables holds what every DynamoDB-backed system shares about its tables: how a locked schema is written
// down, how it is created, described and dropped on a target, and how two versions of it are compared.
package tables

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// Schema is the set of tables of one system in one locked version of its document.
type Schema struct {
	System  string  // the catalogue's name of the system, such as "telemetry"
	Version string  // the document's version, such as "1.0.0"
	Tables  []Table // in the order of the document
}

// Table is one table as its document has it.
type Table struct {
	// Create is the request that makes the table, with the prefix of the target already in its name.
	Create *dynamodb.CreateTableInput
	// TTLAttribute is the attribute of epoch seconds by which items expire; empty means that they do not.
	TTLAttribute string
	// Attributes are all documented attributes, keys included: they are part of the lock, though DynamoDB
	// itself is told of the keys only.
	Attributes []Attribute
}

// Attribute is one documented attribute of an item.
type Attribute struct {
	Name     string
	Type     string // DynamoDB's letter: S, N, BOOL, M, L
	Required bool
}

// Name is the full name of the table, prefix included.
func (t Table) Name() string { return *t.Create.TableName }

// Attribute looks up a documented attribute by its name.
func (t Table) Attribute(name string) (Attribute, bool) {
	for _, a := range t.Attributes {
		if a.Name == name {
			return a, true
		}
	}
	return Attribute{}, false
}
