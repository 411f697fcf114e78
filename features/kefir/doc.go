// Package kefir holds the specs of the kefir tracker's backend: feature files in the words of people who brew, and the
// steps that run them through the backend's HTTP API.
package kefir

import "embed"

// Files are the feature files.
//
//go:embed *.feature
var Files embed.FS
