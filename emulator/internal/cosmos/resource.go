package cosmos

import (
	"strings"
	"unicode/utf8"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// maxID is the length in characters of the longest id of a resource that is not an item ("Azure Cosmos DB service quotas").
const maxID = 255

// maxItemID is the length in bytes of an item's longest id.
const maxItemID = 1023

// checkID checks the id of a database, a container or anything else but an item.
func checkID(id doc.Value) *Error {
	text := id.Str()
	switch {
	case id.Kind() != doc.Text || text == "":
		return invalidInput("The input name is invalid. Ensure to provide a non-empty string as id.")
	case utf8.RuneCountInString(text) > maxID:
		return invalidInput("The id must not be longer than %d characters.", maxID)
	case strings.ContainsAny(text, `/\?#`):
		return invalidInput(`The id must not contain any of '/', '\', '?', '#'.`)
	case strings.HasSuffix(text, " "):
		return invalidInput("The id must not end with a space.")
	}
	return nil
}

// systemProperties are the members that the service gives a resource, whatever the client says of them.
var systemProperties = []string{"_rid", "_self", "_etag", "_ts", "_attachments", "_docs", "_sprocs", "_triggers", "_udfs", "_conflicts", "_colls", "_users"}

// withoutSystem is a resource without what the service gives it.
func withoutSystem(v doc.Value) doc.Value {
	for _, name := range systemProperties {
		if v.Field(name).Defined() {
			v = v.Without(name)
		}
	}
	return v
}
