// Package docs has the pages of this folder that programs show again.
package docs

import _ "embed"

//go:embed compatibility.md
var compatibility string

// Compatibility is the page of what is emulated and of every known difference from the service, in Markdown.
func Compatibility() string { return compatibility }
