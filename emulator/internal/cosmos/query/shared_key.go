package query

import (
	"bytes"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
)

// sharedKey is a partition key whose EPK other keys share, so that only its document tells whether an item has the key.
type sharedKey struct {
	def *doc.PartitionKeyDefinition
	key doc.PartitionKey
}

// shareOf returns a partition key if others share its EPK, and nil otherwise.
func shareOf(container *engine.Container, key doc.PartitionKey) *sharedKey {
	def := &container.Definition.Load().Key
	if !def.SharesEPK(key) {
		return nil
	}
	return &sharedKey{def, key}
}

// ofItem reports whether an item with the EPK has the key; every item has nil. It also holds for an item that cannot be
// read: whoever reads it returns the error.
func (k *sharedKey) ofItem(i *engine.Item) bool {
	if k == nil {
		return true
	}
	document, err := doc.Parse(i.Body)
	if err != nil {
		return true
	}
	key, err := k.def.FromDocument(document)
	return err != nil || key.Equal(k.key)
}

// ofVersion is ofItem for the item of a version. A delete has no document, only the key.
func (k *sharedKey) ofVersion(v *engine.Version) bool {
	if k == nil || v.Kind != changelog.Remove {
		return k.ofItem(v.Item)
	}
	return bytes.Equal(v.Item.Body, engine.DeletedBody(k.def, k.key))
}
