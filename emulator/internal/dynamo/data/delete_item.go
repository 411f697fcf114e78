package data

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// DeleteItemInput deletes the item with a key, if there is one.
type DeleteItemInput struct {
	writeRequest
	Key    wire.Attributes
	hasKey bool
}

func (in *DeleteItemInput) Decode(d *wire.Decoder) error {
	err := d.Members(func(name []byte) error {
		if string(name) == "Key" {
			in.hasKey = true
			return d.Attributes(&in.Key)
		}
		if known, err := in.decodeMember(d, name); known {
			return err
		}
		return d.Skip()
	})
	in.veryDeep = d.Items.VeryDeep
	return err
}

func (in *DeleteItemInput) Check() error {
	if err := in.checkConstraints("key", in.hasKey); err != nil {
		return err
	}
	if in.veryDeep && in.wantsOtherValues() {
		return wire.ValidationError(returnsOldOnly)
	}
	if err := in.checkPlaceholders(false, false, false); err != nil {
		return err
	}
	if err := in.style().Convert(in.Key.Err); err != nil {
		return err
	}
	if err := in.parseCondition(); err != nil {
		return err
	}
	return in.style().Convert(in.Unused())
}

// DeleteItem deletes the item with a key if the condition holds.
func DeleteItem(req *engine.Request, in *DeleteItemInput) (*writeOutput, error) {
	t, err := req.Account.Table(in.TableName.V)
	if err != nil {
		return nil, err
	}
	if err := t.Keys.CheckKey(in.Key.Value); err != nil {
		return nil, err
	}
	return in.replace(req, t, in.Key.Value, nil)
}

func (in *DeleteItemInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Table: in.TableName.V, Item: in.Key.Value})
}

func (in *DeleteItemInput) Traits() engine.Traits {
	return engine.Traits{HoldsLatches: true, Writes: true}
}
