// Package service has the scenarios of the services around the tables: identity, keys, capacity, staleness, streams,
// recovery, alarms, faults, time and cost. They are written from the view of a user of DynamoDB with an SDK.
//
// Each scenario has its own emulator, whose clock stands still until the scenario moves it.
package service

import "embed"

// Files are the feature files.
//
//go:embed *.feature
var Files embed.FS
