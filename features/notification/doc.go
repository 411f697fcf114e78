// Package notification proves what the notifications' document promises: each scenario acts through the HTTP API as
// users and services do, and holds the SQL text and the partition key that go over the wire to Cosmos DB.
package notification

import "embed"

// Files are the scenarios.
//
//go:embed *.feature
var Files embed.FS
