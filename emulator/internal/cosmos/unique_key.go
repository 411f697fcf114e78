package cosmos

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/builtin"
)

// A unique key says that no two items of a logical partition have the same values under its paths. A value that is missing
// counts as null, which takes part as any other does ("Unique key constraints in Azure Cosmos DB"). The key of an entry is
// its number in the policy and the values; it holds the id of the item.

// The limits of a policy ("Azure Cosmos DB service quotas").
const (
	maxUniqueKeys  = 10
	maxUniquePaths = 16
)

// uniqueKey is the paths of a unique key, each a list of names.
type uniqueKey [][]string

func (k uniqueKey) equal(other uniqueKey) bool {
	return slices.EqualFunc(k, other, func(a, b []string) bool { return slices.Equal(a, b) })
}

// parseUniqueKeys reads a container's uniqueKeyPolicy; undefined is none.
func parseUniqueKeys(policy doc.Value) ([]uniqueKey, *Error) {
	list := policy.Field("uniqueKeys")
	if list.Kind() > doc.Null && list.Kind() != doc.List || policy.Kind() > doc.Null && policy.Kind() != doc.Map {
		return nil, invalidInput("The uniqueKeyPolicy must be an object with a list of uniqueKeys.")
	}
	if list.Len() > maxUniqueKeys {
		return nil, invalidInput("A container can have at most %d unique keys.", maxUniqueKeys)
	}
	var keys []uniqueKey
	for _, v := range list.Elements() {
		key, err := parseUniqueKey(v.Field("paths"))
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return keys, nil
}

func parseUniqueKey(paths doc.Value) (uniqueKey, *Error) {
	if paths.Len() == 0 || paths.Len() > maxUniquePaths {
		return nil, invalidInput("A unique key must have from 1 to %d paths.", maxUniquePaths)
	}
	var key uniqueKey
	for _, path := range paths.Elements() {
		names, err := doc.PathSegments(path.Str())
		if err != nil {
			return nil, invalidInput("The unique key path %s is invalid.", path.JSON())
		}
		if slices.ContainsFunc(key, func(other []string) bool { return slices.Equal(other, names) }) {
			return nil, invalidInput("The unique key path %s is there twice.", path.JSON())
		}
		key = append(key, names)
	}
	return key, nil
}

// uniqueEntries are what the keys of a document's entries end with, one a unique key: its number, and the hash of the values,
// for these may be long.
func (d *definition) uniqueEntries(v doc.Value) []string {
	var entries []string
	for i, key := range d.unique {
		var text []byte
		for _, path := range key {
			value := v
			for _, name := range path {
				value = value.Field(name)
			}
			if !value.Defined() {
				value = doc.NullValue()
			}
			one := builtin.Key(value)
			text = append(binary.AppendUvarint(text, uint64(len(one))), one...)
		}
		sum := sha256.Sum256(text)
		entries = append(entries, string(append([]byte{byte(i)}, sum[:]...)))
	}
	return entries
}

// uniqueOf are the entries of an item: those found when it was made, or those of its body.
func (t *transaction) uniqueOf(i *item) ([]string, error) {
	if i == nil || i.unique != nil {
		return i.entries(), nil
	}
	v, err := doc.Parse(i.body)
	if err == nil {
		i.unique = t.definition.uniqueEntries(v)
	}
	return i.unique, err
}

func (i *item) entries() []string {
	if i == nil {
		return nil
	}
	return i.unique
}

// checkUnique says whether an item may be put: whether none of its entries is another's.
func (t *transaction) checkUnique(i *item) *Error {
	for _, entry := range i.unique {
		owner, err := t.ownerOf(entry)
		if err != nil {
			return t.container.state.internal(err)
		}
		if owner == "" || owner == i.id {
			continue
		}
		other, err := t.find(owner)
		if err != nil {
			return t.container.state.internal(err)
		}
		entries, err := t.uniqueOf(other.new)
		if err != nil {
			return t.container.state.internal(err)
		}
		if slices.Contains(entries, entry) {
			return itemExists()
		}
	}
	return nil
}

// ownerOf is the id of the item that had an entry last, in the transaction or the store; empty: none.
func (t *transaction) ownerOf(entry string) (string, error) {
	for _, one := range t.changes {
		if one.dirty && slices.Contains(one.new.entries(), entry) {
			return one.id, nil
		}
	}
	value, _, err := t.tx.Get(t.uniqueEntryKey(entry))
	return string(value), err
}

func (t *transaction) uniqueEntryKey(entry string) []byte {
	key := append(t.prefix[:len(t.prefix):len(t.prefix)], entry...)
	key[letterAt] = letterUnique
	return key
}

// writeUnique takes the entries of what was there away, and writes those of what is there now.
func (t *transaction) writeUnique() error {
	if len(t.definition.unique) == 0 {
		return nil
	}
	for _, one := range t.changes {
		if err := t.dropUnique(one); err != nil {
			return err
		}
	}
	for _, one := range t.changes {
		if !one.dirty {
			continue
		}
		for _, entry := range one.new.entries() {
			if err := t.tx.Set(t.uniqueEntryKey(entry), []byte(one.id)); err != nil {
				return err
			}
		}
	}
	return nil
}

// dropUnique removes the entries of a change's stored item, where they are still its own: an item whose life is over may have
// lost them to another.
func (t *transaction) dropUnique(one *change) error {
	if !one.dirty || one.stored == nil {
		return nil
	}
	entries, err := t.uniqueOf(one.stored)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		key := t.uniqueEntryKey(entry)
		owner, _, err := t.tx.Get(key)
		if err != nil {
			return err
		}
		if string(owner) == one.id {
			if err := t.tx.Delete(key); err != nil {
				return err
			}
		}
	}
	return nil
}
