// Package telemetry holds the specs of the sensor fleet's backend: feature files in the words of people who run such a
// fleet, and the steps that run them through the backend's HTTP API.
package telemetry

import "embed"

// Files are the feature files.
//
//go:embed *.feature
var Files embed.FS
