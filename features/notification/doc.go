// Package notification holds the specs of the notification backend. Each scenario uses the HTTP API as users and
// services do, and checks the SQL text and the partition key of the requests to Cosmos DB.
package notification

import "embed"

// Files are the feature files.
//
//go:embed *.feature
var Files embed.FS
