package engine

import (
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// uniqueEntriesOf returns the entries of an item: those computed when it was created, or else those of its body.
func (t *Transaction) uniqueEntriesOf(i *Item) ([]string, error) {
	if i == nil || i.uniqueEntries != nil {
		return i.cachedUniqueEntries(), nil
	}
	v, err := doc.Parse(i.Body)
	if err == nil {
		i.uniqueEntries = t.Definition.uniqueEntries(v)
	}
	return i.uniqueEntries, err
}

// checkUnique rejects an item if another item has the same values at the paths of a unique key.
func (t *Transaction) checkUnique(i *Item) *wire.Error {
	for _, entry := range i.uniqueEntries {
		owner, err := t.ownerOf(entry)
		if err != nil {
			return t.Container.State.Internal(err)
		}
		if owner == "" || owner == i.ID {
			continue
		}
		other, err := t.changeOf(owner)
		if err != nil {
			return t.Container.State.Internal(err)
		}
		entries, err := t.uniqueEntriesOf(other.New)
		if err != nil {
			return t.Container.State.Internal(err)
		}
		if slices.Contains(entries, entry) {
			return wire.ItemExists()
		}
	}
	return nil
}

// ownerOf returns the id of the item that an entry belongs to, in the transaction or else in the store; empty: none.
func (t *Transaction) ownerOf(entry string) (string, error) {
	for _, change := range t.Changes {
		if change.Dirty && slices.Contains(change.New.cachedUniqueEntries(), entry) {
			return change.ID, nil
		}
	}
	value, _, err := t.Tx.Get(t.uniqueEntryKey(entry))
	return string(value), err
}

func (t *Transaction) uniqueEntryKey(entry string) []byte {
	key := append(t.IdentityPrefix[:len(t.IdentityPrefix):len(t.IdentityPrefix)], entry...)
	key[letterAt] = letterUnique
	return key
}

// writeUniqueEntries deletes the entries of the stored items and writes those of the new ones.
func (t *Transaction) writeUniqueEntries() error {
	if len(t.Definition.uniqueKeys) == 0 {
		return nil
	}
	for _, change := range t.Changes {
		if err := t.deleteUniqueEntries(change); err != nil {
			return err
		}
	}
	for _, change := range t.Changes {
		if !change.Dirty {
			continue
		}
		for _, entry := range change.New.cachedUniqueEntries() {
			if err := t.Tx.Set(t.uniqueEntryKey(entry), []byte(change.ID)); err != nil {
				return err
			}
		}
	}
	return nil
}

// deleteUniqueEntries deletes the entries of a change's stored item that still belong to it: another item may have
// taken those of an expired item.
func (t *Transaction) deleteUniqueEntries(change *Change) error {
	if !change.Dirty || change.stored == nil {
		return nil
	}
	entries, err := t.uniqueEntriesOf(change.stored)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		key := t.uniqueEntryKey(entry)
		owner, _, err := t.Tx.Get(key)
		if err != nil {
			return err
		}
		if string(owner) == change.ID {
			if err := t.Tx.Delete(key); err != nil {
				return err
			}
		}
	}
	return nil
}
