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

// A unique key says that no two items of a logical partition have the same values under its paths. A value that is
// missing counts as null, which takes part as any other does ("Unique key constraints in Azure Cosmos DB"). The key of
// an entry is its number in the policy and the values; it holds the id of the item.

// The limits of a policy ("Azure Cosmos DB service quotas").
const (
	maxUniqueKeys  = 10
	maxUniquePaths = 16
)

// uniqueKey is the paths of a unique key, each a list of names.
type uniqueKey [][]string

// equal reports whether two unique keys are of the same paths.
func (k uniqueKey) equal(other uniqueKey) bool {
	return slices.EqualFunc(k, other, func(a, b []string) bool { return slices.Equal(a, b) })
}

// parseUniqueKeys reads a container's uniqueKeyPolicy; undefined is none. With an error come the keys that can be read,
// each at its number: one that cannot has no paths.
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
			broken = cmp.Or(broken, wire.InvalidInput("The unique key path %s is there twice.", path.JSON()))
		}
		key = append(key, names)
	}
	return key, broken
}

// uniqueEntries are what the keys of a document's entries end with, one a unique key: its number, and the hash of the
// values, for these may be long.
func (d *Definition) uniqueEntries(v doc.Value) []string {
	var entries []string
	for i, key := range d.unique {
		if len(key) == 0 { // of an earlier version of the emulator, and cannot be read
			continue
		}
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
func (t *Transaction) uniqueOf(i *Item) ([]string, error) {
	if i == nil || i.unique != nil {
		return i.entries(), nil
	}
	v, err := doc.Parse(i.Body)
	if err == nil {
		i.unique = t.Definition.uniqueEntries(v)
	}
	return i.unique, err
}

func (i *Item) entries() []string {
	if i == nil {
		return nil
	}
	return i.unique
}

// checkUnique refuses an item one of whose unique keys another item has.
func (t *Transaction) checkUnique(i *Item) *wire.Error {
	for _, entry := range i.unique {
		owner, err := t.ownerOf(entry)
		if err != nil {
			return t.Container.State.Internal(err)
		}
		if owner == "" || owner == i.ID {
			continue
		}
		other, err := t.find(owner)
		if err != nil {
			return t.Container.State.Internal(err)
		}
		entries, err := t.uniqueOf(other.New)
		if err != nil {
			return t.Container.State.Internal(err)
		}
		if slices.Contains(entries, entry) {
			return wire.ItemExists()
		}
	}
	return nil
}

// ownerOf is the id of the item that had an entry last, in the transaction or the store; empty: none.
func (t *Transaction) ownerOf(entry string) (string, error) {
	for _, one := range t.Changes {
		if one.Dirty && slices.Contains(one.New.entries(), entry) {
			return one.ID, nil
		}
	}
	value, _, err := t.Tx.Get(t.uniqueEntryKey(entry))
	return string(value), err
}

func (t *Transaction) uniqueEntryKey(entry string) []byte {
	key := append(t.Prefix[:len(t.Prefix):len(t.Prefix)], entry...)
	key[letterAt] = letterUnique
	return key
}

// writeUnique takes the entries of what was there away, and writes those of what is there now.
func (t *Transaction) writeUnique() error {
	if len(t.Definition.unique) == 0 {
		return nil
	}
	for _, one := range t.Changes {
		if err := t.dropUnique(one); err != nil {
			return err
		}
	}
	for _, one := range t.Changes {
		if !one.Dirty {
			continue
		}
		for _, entry := range one.New.entries() {
			if err := t.Tx.Set(t.uniqueEntryKey(entry), []byte(one.ID)); err != nil {
				return err
			}
		}
	}
	return nil
}

// dropUnique removes the entries of a change's stored item, where they are still its own: an item whose life is over
// may have lost them to another.
func (t *Transaction) dropUnique(one *Change) error {
	if !one.Dirty || one.stored == nil {
		return nil
	}
	entries, err := t.uniqueOf(one.stored)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		key := t.uniqueEntryKey(entry)
		owner, _, err := t.Tx.Get(key)
		if err != nil {
			return err
		}
		if string(owner) == one.ID {
			if err := t.Tx.Delete(key); err != nil {
				return err
			}
		}
	}
	return nil
}
