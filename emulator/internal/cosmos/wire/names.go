package wire

import (
	"strings"
	"unicode/utf8"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// maxIDLength is the maximum length, in characters, of the id of a resource other than an item ("Azure Cosmos DB
// service quotas").
const maxIDLength = 255

// MaxItemID is the maximum length of an item's id, and MaxKeyValueBytes that of a partition key value, in bytes.
const (
	MaxItemID        = 1023
	MaxKeyValueBytes = 2048
)

// InvalidName returns the error for an id that is empty, or not shorter than less. The message for both limits is from
// test_create_illegal_characters of azure-cosmos.
func InvalidName(id string, limit int) *Error {
	return BadRequest(
		"The input name '%.*s' is invalid. Ensure to provide a unique non-empty string less than '%d' characters.",
		limit, id, limit)
}

// CheckID checks the id of any resource but an item.
func CheckID(id doc.Value) *Error {
	text := id.Str()
	switch {
	case id.Kind() != doc.Text || text == "", utf8.RuneCountInString(text) > maxIDLength:
		return InvalidName(text, maxIDLength)
	case strings.ContainsAny(text, `/\?#`):
		return InvalidInput(`The id must not contain any of '/', '\', '?', '#'.`)
	case strings.HasSuffix(text, " "):
		return InvalidInput("The id must not end with a space.")
	}
	return nil
}

// systemProperties are the members of a resource that the service sets, overwriting what the client sends.
var systemProperties = []string{"_rid", "_self", "_etag", "_ts", "_attachments", "_docs", "_sprocs", "_triggers",
	"_udfs", "_conflicts", "_colls", "_users"}

// WithoutSystemProperties returns a resource without its system properties.
func WithoutSystemProperties(v doc.Value) doc.Value {
	for _, name := range systemProperties {
		if v.Field(name).Defined() {
			v = v.Without(name)
		}
	}
	return v
}
