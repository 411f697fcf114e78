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
	return d.Members(func(name []byte) error {
		if string(name) == "Key" {
			in.hasKey = true
			return d.Attributes(&in.Key)
		}
		if known, err := in.decodeMember(d, name); known {
			return err
		}
		return d.Skip()
	})
}

func (in *DeleteItemInput) Check() error {
	if err := wire.EmptyTableName(in.TableName); err != nil {
		return err
	}
	var c wire.Constraints
	in.constraints(&c)
	c.Required(in.hasKey, "key")
	if in.hasKey && in.wantsOtherValues() {
		// DeleteItem reports it as it does the constraints of single members (nubo-db/dynoxide, 2026-10).
		c.AddMessage(returnsOldOnly)
	}
	if err := c.Err(); err != nil {
		return err
	}
	if err := in.checkPlaceholders(false, false, false); err != nil {
		return err
	}
	if err := wire.WriteErrors.Convert(in.Key.Err); err != nil {
		return err
	}
	if err := in.parseCondition(); err != nil {
		return err
	}
	return wire.WriteErrors.Convert(in.Unused())
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
