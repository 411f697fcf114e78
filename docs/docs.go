// Package docs has the pages of this folder that programs show again.
package docs

import _ "embed"

//go:embed compatibility.md
var compatibility string

// Compatibility is the page of what is emulated and of every known difference from the service, in Markdown.
func Compatibility() string { return compatibility }

//go:embed access.md
var access string

// Access is the page of who may do what with the backends, in Markdown.
func Access() string { return access }
