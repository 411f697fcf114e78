package data

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// PutItemInput puts an item, replacing the one with the same key, if any.
type PutItemInput struct {
	writeRequest
	Item    wire.Attributes
	hasItem bool
}

func (in *PutItemInput) Decode(d *wire.Decoder) error {
	err := d.Members(func(name []byte) error {
		if string(name) == "Item" {
			in.hasItem = true
			return d.Attributes(&in.Item)
		}
		if known, err := in.decodeMember(d, name); known {
			return err
		}
		return d.Skip()
	})
	in.veryDeep = d.Items.VeryDeep
	return err
}

func (in *PutItemInput) Check() error {
	if err := in.checkConstraints("item", in.hasItem); err != nil {
		return err
	}
	if err := in.checkPlaceholders(false, false, false); err != nil {
		return err
	}
	if err := in.style().Convert(in.Item.Err); err != nil {
		return err
	}
	if in.wantsOtherValues() {
		return in.style().New(returnsOldOnly)
	}
	if err := checkItemSize(in.Item.Value); err != nil {
		return err
	}
	if err := in.parseCondition(); err != nil {
		return err
	}
	return in.style().Convert(in.Unused())
}

// checkItemSize returns an error for an item that is too large for any table.
func checkItemSize(it item.Value) error {
	// The item size that the service counts is at most twice the stored form, so small items need no exact count.
	if len(it) > engine.MaxItemSize/4 && it.ItemSize() > engine.MaxItemSize {
		return wire.ValidationError("Item size has exceeded the maximum allowed size")
	}
	return nil
}

// PutItem puts an item, replacing the one with the same key, if the condition holds.
func PutItem(req *engine.Request, in *PutItemInput) (*writeOutput, error) {
	t, err := req.Account.Table(in.TableName.V)
	if err != nil {
		return nil, err
	}
	if err := checkItem(t, in.Item.Value); err != nil {
		return nil, err
	}
	return in.replace(req, t, in.Item.Value, in.Item.Value)
}

// replaceWith returns a Next that ignores the old item.
func replaceWith(it item.Value) func(item.Value) (item.Value, error) {
	return func(item.Value) (item.Value, error) { return it, nil }
}

// checkItem returns an error if the item does not fit the key schema of the table or of an index.
func checkItem(t *engine.Table, it item.Value) error {
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

func (in *PutItemInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Table: in.TableName.V, Item: in.Item.Value})
}

func (in *PutItemInput) Traits() engine.Traits {
	return engine.Traits{HoldsLatches: true, Writes: true}
}
