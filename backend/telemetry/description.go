package telemetry

import (
	_ "embed"
	"slices"
)

//go:embed tables.yaml
var description []byte

// Description returns the schema as a description for tabletop tables create --file, without a prefix.
func Description() []byte { return slices.Clone(description) }
