package engine

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/builtin"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// With a unique key, no two items of a logical partition have the same values at its paths. A missing value counts as
// null, and null is compared like any other value ("Unique key constraints in Azure Cosmos DB"). The key of an entry
// ends with the number of the unique key in the policy and a hash of the values; the value is the id of the item.

// The limits of a policy ("Azure Cosmos DB service quotas").
const (
	maxUniqueKeys  = 10
	maxUniquePaths = 16
)

// uniqueKey is the paths of a unique key, each a list of names.
type uniqueKey [][]string

// equal reports whether two unique keys have the same paths.
func (k uniqueKey) equal(other uniqueKey) bool {
	return slices.EqualFunc(k, other, func(a, b []string) bool { return slices.Equal(a, b) })
}

// parseUniqueKeys parses a container's uniqueKeyPolicy; undefined means none. Even with an error it returns the valid
// keys, each at its index in the policy. An invalid key has no paths.
func parseUniqueKeys(policy doc.Value) ([]uniqueKey, *wire.Error) {
	list := policy.Field("uniqueKeys")
	if list.Kind() > doc.Null && list.Kind() != doc.List || policy.Kind() > doc.Null && policy.Kind() != doc.Map {
		return nil, wire.InvalidInput("The uniqueKeyPolicy must be an object with a list of uniqueKeys.")
	}
	var broken *wire.Error
	if list.Len() > maxUniqueKeys {
		broken = wire.InvalidInput("A container can have at most %d unique keys.", maxUniqueKeys)
	}
	var keys []uniqueKey
	for _, v := range list.Elements() {
		key, err := parseUniqueKey(v.Field("paths"))
		keys, broken = append(keys, key), cmp.Or(broken, err)
	}
	return keys, broken
}

func parseUniqueKey(paths doc.Value) (uniqueKey, *wire.Error) {
	var broken *wire.Error
	if paths.Len() == 0 || paths.Len() > maxUniquePaths {
		broken = wire.InvalidInput("A unique key must have from 1 to %d paths.", maxUniquePaths)
	}
	var key uniqueKey
	for _, path := range paths.Elements() {
		names, err := doc.PathSegments(path.Str())
		if err != nil {
			return nil, wire.InvalidInput("The unique key path %s is invalid.", path.JSON())
		}
		if slices.ContainsFunc(key, func(other []string) bool { return slices.Equal(other, names) }) {
			broken = cmp.Or(broken, wire.InvalidInput("The unique key path %s is specified twice.", path.JSON()))
		}
		key = append(key, names)
	}
	return key, broken
}

// uniqueEntries returns the ends of the keys of a document's entries, one per unique key: its number, and a hash of the
// values, which may be long. For values with integers beyond 2^53 it also returns the entry of earlier versions, which
// is the only one of an item that they stored.
func (d *Definition) uniqueEntries(v doc.Value) []string {
	var entries []string
	for i, key := range d.uniqueKeys {
		if len(key) == 0 { // invalid, stored by an earlier version of the emulator
			continue
		}
		entries = append(entries, key.entry(i, v, builtin.Key))
		if slices.ContainsFunc(key, func(path []string) bool { return valueAt(v, path).HasLongIntegers() }) {
			entries = append(entries, key.entry(i, v, builtin.DigitKey))
		}
	}
	return entries
}

// entry returns the entry of the unique key with a number. textOf returns the text of a value.
func (k uniqueKey) entry(number int, v doc.Value, textOf func(doc.Value) string) string {
	var texts []byte
	for _, path := range k {
		text := textOf(valueAt(v, path))
		texts = append(binary.AppendUvarint(texts, uint64(len(text))), text...)
	}
	sum := sha256.Sum256(texts)
	return string(append([]byte{byte(number)}, sum[:]...))
}

// valueAt returns the value at a path; null if it is missing.
func valueAt(v doc.Value, path []string) doc.Value {
	for _, name := range path {
		v = v.Field(name)
	}
	if !v.Defined() {
		return doc.NullValue()
	}
	return v
}

func (i *Item) cachedUniqueEntries() []string {
	if i == nil {
		return nil
	}
	return i.uniqueEntries
}
