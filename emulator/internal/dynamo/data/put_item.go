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
	if err := engine.CheckItemSize(in.Item.Value); err != nil {
		return err
	}
	if err := in.parseCondition(); err != nil {
		return err
	}
	return in.style().Convert(in.Unused())
}

// PutItem puts an item, replacing the one with the same key, if the condition holds.
func PutItem(req *engine.Request, in *PutItemInput) (*writeOutput, error) {
	t, err := req.Account.Table(in.TableName.V)
	if err != nil {
		return nil, err
	}
	if err := t.CheckItem(in.Item.Value); err != nil {
		return nil, err
	}
	return in.replace(req, t, in.Item.Value, in.Item.Value)
}

// replaceWith returns a Next that ignores the old item. It keeps the size of the new one in it, which must be the
// request's own.
func replaceWith(it item.Value) func(item.Value) (item.Value, error) {
	it = it.KeepSize()
	return func(item.Value) (item.Value, error) { return it, nil }
}

func (in *PutItemInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Table: in.TableName.V, Item: in.Item.Value})
}

func (in *PutItemInput) Traits() engine.Traits {
	return engine.Traits{HoldsLatches: true, Writes: true}
}
