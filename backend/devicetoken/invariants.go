package devicetoken

import (
	_ "embed"
	"slices"
)

//go:embed invariants.yaml
var invariants []byte

// Invariants returns what the document's rules say about the table at any moment, as a file of tabletop
// invariants, without a prefix.
func Invariants() []byte { return slices.Clone(invariants) }
