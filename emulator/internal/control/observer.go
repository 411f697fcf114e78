package control

import (
	cosmos "github.com/tabletop-db/tabletop/emulator/internal/cosmos/telemetry"
	dynamo "github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
)

// Observer sees what happens in an emulator. Requests wait for its functions: they must return quickly, keep nothing of
// an event's memory, and be safe for concurrent use.
type Observer struct {
	DynamoDB func(*dynamo.Event) // an answered request
	Cosmos   func(*cosmos.Event) // an answered request
	Changed  func(Change)        // a change that is not the work of a request
}

// Clouds of a Change.
const (
	DynamoDB = "dynamodb"
	CosmosDB = "cosmos"
)

// Kinds of a Change.
const (
	SchemaChange = "schema" // of a table or container itself: its existence, settings, status, scripts
	ItemsChange  = "items"  // of its items
)

// Change says that something is different from what a client has read.
type Change struct {
	Cloud string `json:"cloud"` // DynamoDB or CosmosDB; empty: both
	Kind  string `json:"kind"`
	Name  string `json:"name"` // of a table; of a database or database/container; empty: any
}
