package devicetoken

import (
	_ "embed"
	"slices"
	"strings"
)

//go:embed tables.yaml
var description []byte

// Description returns the schema of DefaultEnv, with encryption key, recovery and alarms, as a description for tabletop
// tables create --file, without a prefix.
func Description() []byte { return slices.Clone(description) }

//go:embed activeindex.yaml
var activeIndex []byte

// ActiveIndexDescription returns the table with the index of the migration, as a description for tabletop tables create
// --file, which creates missing resources and keeps existing ones.
func ActiveIndexDescription() []byte { return slices.Clone(activeIndex) }

//go:embed identities.yaml
var identities string

// The users of Identities.
const (
	UserService = "device-token-service"
	UserCleanup = "device-token-cleanup"
	UserAdmin   = "admin"
)

// Identities returns an identities file for tabletop emulator --identities: who may do what with the table of an
// environment (DefaultEnv when empty), whose name starts with prefix (PE-R6, PE-D5). UserService has the document's
// policy for the service, UserCleanup that of the cleanup job, and UserAdmin creates the tables.
func Identities(prefix, env string) []byte {
	return []byte(strings.NewReplacer(
		"table/photoeditor-dev-device-tokens", "table/"+TableName(prefix, env),
		"table/tabletop-jobs", "table/"+prefix+"tabletop-jobs",
	).Replace(identities))
}
