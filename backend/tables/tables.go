// Package tables is what all systems on DynamoDB share about their tables: how to define a locked schema, how to
// create, describe and drop its tables on a target, and how to compare two versions of it.
package tables

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// Schema is the set of tables of one system, in one locked version of its document.
type Schema struct {
	System  string  // the catalogue's name of the system, such as "telemetry"
	Version string  // the document's version, such as "1.0.0"
	Tables  []Table // in the order of the document
}

// Table is one table as its document defines it.
type Table struct {
	// Create is the request that creates the table; its table name includes the target's prefix.
	Create *dynamodb.CreateTableInput
	// TTLAttribute is the TTL attribute, in epoch seconds; empty when items do not expire.
	TTLAttribute string
	// Attributes lists all documented attributes, including keys. They are part of the lock, though DynamoDB itself
	// only knows the keys.
	Attributes []Attribute
}

// Attribute is one documented attribute of an item.
type Attribute struct {
	Name     string
	Type     string // DynamoDB's type letter: S, N, BOOL, M, L
	Required bool
}

// Name returns the full name of the table, including the prefix.
func (t Table) Name() string { return *t.Create.TableName }

// Attribute returns the documented attribute with this name.
func (t Table) Attribute(name string) (Attribute, bool) {
	for _, a := range t.Attributes {
		if a.Name == name {
			return a, true
		}
	}
	return Attribute{}, false
}
