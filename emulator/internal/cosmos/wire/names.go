package wire

import (
	"strings"
	"unicode/utf8"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// maxID is the length in characters of the longest id of a resource that is not an item ("Azure Cosmos DB service
// quotas").
const maxID = 255

// MaxItemID is the length in bytes of an item's longest id, and MaxKeyValue that of the longest value of a partition
// key.
const (
	MaxItemID   = 1023
	MaxKeyValue = 2048
)

// InvalidName is an id that is empty, or not less long than a number (azure-cosmos's test_create_illegal_characters has
// the words for both numbers).
func InvalidName(id string, less int) *Error {
	return BadRequest("The input name '%.*s' is invalid. Ensure to provide a unique non-empty string less than '%d' characters.", less, id, less)
}

// CheckID checks the id of a database, a container or anything else but an item.
func CheckID(id doc.Value) *Error {
	text := id.Str()
	switch {
	case id.Kind() != doc.Text || text == "", utf8.RuneCountInString(text) > maxID:
		return InvalidName(text, maxID)
	case strings.ContainsAny(text, `/\?#`):
		return InvalidInput(`The id must not contain any of '/', '\', '?', '#'.`)
	case strings.HasSuffix(text, " "):
		return InvalidInput("The id must not end with a space.")
	}
	return nil
}

// systemProperties are the members that the service gives a resource, whatever the client says of them.
var systemProperties = []string{"_rid", "_self", "_etag", "_ts", "_attachments", "_docs", "_sprocs", "_triggers", "_udfs", "_conflicts", "_colls", "_users"}

// WithoutSystem is a resource without what the service gives it.
func WithoutSystem(v doc.Value) doc.Value {
	for _, name := range systemProperties {
		if v.Field(name).Defined() {
			v = v.Without(name)
		}
	}
	return v
}
