// Package devicetoken holds the specs of the device token backend: feature files in the words of people, their phones
// and those who operate the service, and the steps that carry them out through the backend's HTTP API.
package devicetoken

import "embed"

// Files are the feature files.
//
//go:embed *.feature
var Files embed.FS
