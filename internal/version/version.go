// Package version tells which version of Tabletop runs.
package version

import "runtime/debug"

// Development is the version of a build that nobody gave one.
const Development = "development"

// linked is set by the linker (-X); builds without it report what the Go tool recorded.
var linked string

// Current is the version that the linker was told, or that of the module as the Go tool knows it, or "development".
func Current() string {
	if linked != "" {
		return linked
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return Development
	}
	return info.Main.Version
}
