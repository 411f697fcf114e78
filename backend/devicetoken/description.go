package devicetoken

import (
	_ "embed"
	"slices"
	"strings"
)

//go:embed tables.yaml
var description []byte

// Description is the schema of DefaultEnv, with key, recovery and alarms, as the description that tabletop tables
// create --file reads, without a prefix.
func Description() []byte { return slices.Clone(description) }

//go:embed activeindex.yaml
var activeIndex []byte

// ActiveIndexDescription is the table with the index of the migration, as a description of tabletop tables create
// --file that adds what is missing and keeps the rest.
func ActiveIndexDescription() []byte { return slices.Clone(activeIndex) }

//go:embed identities.yaml
var identities string

// The users of Identities.
const (
	UserService = "device-token-service"
	UserCleanup = "device-token-cleanup"
	UserAdmin   = "admin"
)

// Identities are who may do what with the table of an environment, DefaultEnv where it is empty, with prefix before its
// name (PE-R6, PE-D5): a file for tabletop emulator --identities. UserService has the document's policy for the
// service, UserCleanup that of the cleanup job, and UserAdmin makes the tables.
func Identities(prefix, env string) []byte {
	return []byte(strings.NewReplacer(
		"table/photoeditor-dev-device-tokens", "table/"+TableName(prefix, env),
		"table/tabletop-jobs", "table/"+prefix+"tabletop-jobs",
	).Replace(identities))
}
