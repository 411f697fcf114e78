package kefir

import (
	_ "embed"
	"slices"
)

//go:embed tables.yaml
var description []byte

// Description is the schema as the description that tabletop tables create --file reads, without a prefix.
func Description() []byte { return slices.Clone(description) }
