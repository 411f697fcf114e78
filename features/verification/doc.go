// Package verification holds the specs of the identity verification backend: feature files in the words of those who
// have their customers verified and of those who review them, and the steps that carry them out through the backend's
// HTTP API.
package verification

import "embed"

// Files are the feature files.
//
//go:embed *.feature
var Files embed.FS
