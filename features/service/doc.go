// Package service has the scenarios of what the emulator does around the tables: identity, keys, capacity, staleness,
// streams, recovery, alarms, faults, time, cost. They are told as someone sees them who uses DynamoDB through an SDK.
//
// Each scenario has an emulator to itself, whose clock stands still until the scenario moves it.
package service

import "embed"

// Files are the feature files.
//
//go:embed *.feature
var Files embed.FS
