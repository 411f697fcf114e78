package control

import (
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// checkTypesKept returns an error if a new index's key has an attribute that another key has with another type. (The
// message is the one that ScyllaDB's tests quote of AWS.)
func (u *tableUpdate) checkTypesKept(keys []engine.KeySchemaElement, defined []engine.AttributeDefinition) error {
	for _, k := range keys {
		at := definitionAt(u.new.Attributes, k.AttributeName)
		if at < 0 || u.new.Attributes[at] == defined[definitionAt(defined, k.AttributeName)] {
			continue
		}
		return wire.ParameterError("Attributes cannot be redefined. Please check that your attribute has the same type as " +
			"previously defined. Existing schema: " + schemaText(u.schemaWith(k.AttributeName), u.new.Attributes) +
			" New schema: " + schemaText(keys, defined))
	}
	return nil
}

// schemaWith returns the first key schema that has an attribute: that of the table or of an index.
func (u *tableUpdate) schemaWith(attribute string) []engine.KeySchemaElement {
	schemas := [][]engine.KeySchemaElement{u.new.KeySchema}
	for _, x := range slices.Concat(u.new.Local, u.new.Global) {
		schemas = append(schemas, x.KeySchema)
	}
	for _, keys := range schemas {
		if slices.Contains(keyNames(keys), attribute) {
			return keys
		}
	}
	return nil
}

// schemaText returns a key schema with its types as the service's messages have it.
func schemaText(keys []engine.KeySchemaElement, attributes []engine.AttributeDefinition) string {
	elements := make([]string, len(keys))
	for i, k := range keys {
		elements[i] = "SchemaElement: key{" + k.AttributeName + ":" +
			attributes[definitionAt(attributes, k.AttributeName)].AttributeType + ":" + k.KeyType + "}"
	}
	return "Schema:[" + strings.Join(elements, ", ") + "]"
}
