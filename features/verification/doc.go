// Package verification holds the specs of the identity verification backend: feature files in the words of clients, who
// have their customers verified, and of reviewers, and the steps that run them through the backend's HTTP API.
package verification

import "embed"

// Files are the feature files.
//
//go:embed *.feature
var Files embed.FS
