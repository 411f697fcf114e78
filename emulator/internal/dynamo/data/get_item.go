package data

import (
	"bytes"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// GetItemInput reads the item with a key.
type GetItemInput struct {
	expressions
	TableName              wire.TableName
	Key                    wire.Attributes
	hasKey                 bool
	ConsistentRead         wire.Optional[bool]
	ReturnConsumedCapacity wire.Optional[string]
	selection
}

func (in *GetItemInput) Decode(d *wire.Decoder) error {
	return d.Members(func(name []byte) error {
		switch string(name) {
		case "TableName":
			return d.TableName(&in.TableName)
		case "Key":
			in.hasKey = true
			return d.Attributes(&in.Key)
		case "ConsistentRead":
			return d.Boolean(&in.ConsistentRead)
		case "ReturnConsumedCapacity":
			return d.Str(&in.ReturnConsumedCapacity)
		}
		if known, err := in.selection.decodeMember(d, name); known {
			return err
		}
		if known, err := in.expressions.decodeNamesOnly(d, name); known {
			return err
		}
		return d.Skip()
	})
}

func (in *GetItemInput) Check() error {
	if err := wire.EmptyTableName(in.TableName); err != nil {
		return err
	}
	var c wire.Constraints
	if in.TableName.Set {
		c.TableName("tableName", in.TableName.V)
	}
	c.Enum("returnConsumedCapacity", in.ReturnConsumedCapacity, wire.CapacityModes)
	in.selection.constraints(&c)
	c.Required(in.TableName.Set, "tableName")
	c.Required(in.hasKey, "key")
	if err := c.Err(); err != nil {
		return err
	}
	return in.checkSelection(wire.ReadErrors, &in.expressions, in.Key.Err)
}

// getItemOutput is the item, nil if there is none, and the cost of reading it.
type getItemOutput struct {
	item     item.Value
	capacity *engine.ConsumedCapacity
	mode     string
}

// GetItem reads the item with a key.
func GetItem(req *engine.Request, in *GetItemInput) (*getItemOutput, error) {
	t, err := req.Account.Table(in.TableName.V)
	if err != nil {
		return nil, err
	}
	if err := t.Keys.CheckKey(in.Key.Value); err != nil {
		return nil, err
	}
	if err := in.checkProjectionPaths(t); err != nil {
		return nil, err
	}
	out := &getItemOutput{mode: in.ReturnConsumedCapacity.V}
	key := t.Key(in.Key.Value)
	replica := req.Replica(in.ConsistentRead.V)
	err = req.Engine.Store.Get(key, func(value []byte, ok bool) error {
		if image, older := req.Engine.PendingWrites.Before(key, replica); older {
			value, ok = image.Value, image.Found
		}
		if ok {
			projected, err := in.project(value, req.Budget())
			if err != nil {
				return err
			}
			out.item = bytes.Clone(projected) // the store's bytes end with this call
		}
		if err := t.CheckCurrent(); err != nil {
			return err
		}
		units := engine.ReadUnitsFor(engine.SizeOf(value), in.ConsistentRead.V)
		if wantsCapacity(out.mode) {
			out.capacity = &engine.ConsumedCapacity{TableName: in.TableName.Sent, Table: units}
		}
		return req.ChargeRead(t, nil, 1, units, key, false)
	})
	return out, err
}

func (o *getItemOutput) AppendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	start := len(dst)
	if o.item != nil {
		dst = o.item.AppendItem(append(dst, `,"Item":`...))
	}
	if o.capacity != nil {
		dst = o.capacity.AppendJSON(append(dst, `,"ConsumedCapacity":`...), o.mode)
	}
	return wire.CloseObject(dst, start)
}

func (in *GetItemInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Table: in.TableName.V, Item: in.Key.Value})
}

func (in *GetItemInput) Traits() engine.Traits {
	return engine.Traits{EventuallyConsistent: !in.ConsistentRead.V}
}

func (in *GetItemInput) PolicyValues(v *engine.PolicyValues, _ int, _ string) {
	v.Select, v.ReturnConsumedCapacity = engine.DefaultSelect(in.projection), engine.OrNone(in.ReturnConsumedCapacity)
	v.Attributes.AddProjection(in.projection)
}
