package wire

import (
	"strings"
	"unicode/utf8"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// maxID is the maximum length, in characters, of the id of a resource other than an item ("Azure Cosmos DB service
// quotas").
const maxID = 255

// MaxItemID is the maximum length of an item's id, and MaxKeyValue that of a partition key value, in bytes.
const (
	MaxItemID   = 1023
	MaxKeyValue = 2048
)

// InvalidName returns the error for an id that is empty, or not shorter than less. The message for both limits is from
// test_create_illegal_characters of azure-cosmos.
func InvalidName(id string, less int) *Error {
	return BadRequest("The input name '%.*s' is invalid. Ensure to provide a unique non-empty string less than '%d' characters.", less, id, less)
}

// CheckID checks the id of any resource but an item.
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

// systemProperties are the members of a resource that the service sets, overwriting what the client sends.
var systemProperties = []string{"_rid", "_self", "_etag", "_ts", "_attachments", "_docs", "_sprocs", "_triggers", "_udfs", "_conflicts", "_colls", "_users"}

// WithoutSystem returns a resource without its system properties.
func WithoutSystem(v doc.Value) doc.Value {
	for _, name := range systemProperties {
		if v.Field(name).Defined() {
			v = v.Without(name)
		}
	}
	return v
}
