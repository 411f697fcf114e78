package control

import (
	"math/bits"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// CreateTable requires a definition of each key attribute, and no other. AWS's controllers for Kubernetes recorded the
// messages (ack-api-quirks DDB-TABLE-127, 2026-10-08).

func (in *CreateTableInput) checkDistinctAttributes() error {
	seen := make(map[string]bool, len(in.AttributeDefinitions))
	for _, d := range in.AttributeDefinitions {
		if seen[*d.AttributeName] {
			return wire.ValidationError("Attribute Name is duplicated: " + *d.AttributeName)
		}
		seen[*d.AttributeName] = true
	}
	return nil
}

// checkAttributesUsed returns an error for a definition that no key uses. It comes before the rules of the indexes.
func (in *CreateTableInput) checkAttributesUsed() error {
	if len(in.LocalSecondaryIndexes) > maxLocalIndexes || len(in.GlobalSecondaryIndexes) > maxGlobalIndexes {
		return nil // an error of its own, after those of the indexes
	}
	used := in.keysUsed()
	var defined []string
	unused := false
	for _, d := range in.AttributeDefinitions {
		defined = append(defined, *d.AttributeName)
		unused = unused || !slices.Contains(used, *d.AttributeName)
	}
	switch {
	case !unused:
		return nil
	case len(in.GlobalSecondaryIndexes)+len(in.LocalSecondaryIndexes)+len(in.VectorIndexes) == 0:
		return wire.ParameterError(
			"Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions")
	}
	return wire.ParameterError("Some AttributeDefinitions are not used. AttributeDefinitions: [" +
		strings.Join(hashOrder(defined, expectedCapacity(len(defined))), ", ") + "], keys used: [" +
		strings.Join(hashOrder(used, growingCapacity(len(used))), ", ") + "]")
}

// keysUsed returns the names of all key attributes, each once.
func (in *CreateTableInput) keysUsed() (names []string) {
	schemas := [][]KeySchemaElementInput{in.KeySchema}
	for _, x := range in.LocalSecondaryIndexes {
		schemas = append(schemas, x.KeySchema)
	}
	for _, x := range in.GlobalSecondaryIndexes {
		schemas = append(schemas, x.KeySchema)
	}
	for _, keys := range schemas {
		for _, k := range keys {
			if !slices.Contains(names, *k.AttributeName) {
				names = append(names, *k.AttributeName)
			}
		}
	}
	for _, x := range in.VectorIndexes {
		for _, e := range x.SearchSchema {
			if !slices.Contains(names, *e.AttributeName) {
				names = append(names, *e.AttributeName)
			}
		}
	}
	return names
}

// hashOrder returns strings in the order of one of Java's hash sets, in which the service's messages have them.
func hashOrder(names []string, capacity int) []string {
	bucket := func(s string) int {
		hash := int32(0)
		for _, unit := range utf16.Encode([]rune(s)) {
			hash = 31*hash + int32(unit)
		}
		return int(uint32(hash)^uint32(hash)>>16) & (capacity - 1)
	}
	sorted := slices.Clone(names)
	slices.SortStableFunc(sorted, func(a, b string) int { return bucket(a) - bucket(b) })
	return sorted
}

// expectedCapacity returns the number of buckets of a set that was made for n elements.
func expectedCapacity(n int) int {
	if n < 3 {
		return powerOfTwo(n + 1)
	}
	return powerOfTwo(int(float32(n)/0.75 + 1))
}

// growingCapacity returns the number of buckets of a set that grew to n elements.
func growingCapacity(n int) int { return max(16, powerOfTwo((4*n+2)/3)) }

// powerOfTwo returns the least power of two that is not less than n.
func powerOfTwo(n int) int { return 1 << bits.Len(uint(max(n, 1)-1)) }

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
