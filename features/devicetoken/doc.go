// Package devicetoken holds the specs of the device token backend: feature files in the words of users, their phones
// and the service's operators, and the steps that run them through the backend's HTTP API.
package devicetoken

import "embed"

// Files are the feature files.
//
//go:embed *.feature
var Files embed.FS
