package verification

import (
	_ "embed"
	"slices"
)

//go:embed tables.yaml
var description []byte

//go:embed identities.yaml
var identities []byte

// Description is the schema as the description that tabletop tables create --file reads, without a prefix.
func Description() []byte { return slices.Clone(description) }

// Identities are the roles of the system in the emulator's format (docs/identity.md): the application, which can add to
// the audit trail and change nothing of it (VR-R8), and the retention job, which alone may remove what is past its
// time.
func Identities() []byte { return slices.Clone(identities) }
