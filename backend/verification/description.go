package verification

import (
	_ "embed"
	"slices"
)

//go:embed tables.yaml
var description []byte

//go:embed identities.yaml
var identities []byte

// Description returns the schema as a description for tabletop tables create --file, without a prefix.
func Description() []byte { return slices.Clone(description) }

// Identities returns the roles of the system in the emulator's format (docs/identity.md): the application, which can
// add to the audit trail but not change it (VR-R8), and the retention job, which alone may delete expired entries.
func Identities() []byte { return slices.Clone(identities) }
