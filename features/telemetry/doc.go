// Package telemetry holds the specs of the sensor fleet's backend: feature files in the words of those who run such a
// fleet, and the steps that carry them out through the backend's HTTP API.
package telemetry

import "embed"

// Files are the feature files.
//
//go:embed *.feature
var Files embed.FS
