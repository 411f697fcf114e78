// Package version returns the version of Tabletop that runs.
package version

import "runtime/debug"

// Development is the version of a build without a version.
const Development = "development"

// linked is set by the linker (-X); builds without it report what the Go tool recorded.
var linked string

// Current returns the version that the linker set, or the module's version recorded by the Go tool, or "development".
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
