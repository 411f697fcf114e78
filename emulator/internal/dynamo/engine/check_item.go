package engine

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// CheckItemSize returns an error for an item that is too large for any table.
func CheckItemSize(it item.Value) error {
	// The item size that the service counts is at most twice the stored form, so small items need no exact count.
	if len(it) > MaxItemSize/4 && it.ItemSize() > MaxItemSize {
		return wire.ValidationError("Item size has exceeded the maximum allowed size")
	}
	return nil
}

// CheckItem returns an error if the item does not fit the key schema of the table or of an index.
func (t *Table) CheckItem(it item.Value) error {
	if err := t.Keys.CheckItem(it); err != nil {
		return err
	}
	for _, x := range t.Indexes {
		if err := x.CheckItem(it); err != nil {
			return err
		}
	}
	for _, x := range t.Vectors {
		if err := x.CheckItem(it); err != nil {
			return err
		}
	}
	return nil
}
