package devicetoken

import (
	_ "embed"
	"slices"
)

//go:embed tables.yaml
var description []byte

// Description is the schema of DefaultEnv, with key, recovery and alarms, as the description that tabletop tables create
// --file reads, without a prefix.
func Description() []byte { return slices.Clone(description) }
