package dynamo

import (
	"bytes"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// GetItemInput reads the item of a key.
type GetItemInput struct {
	expressions
	TableName              optional[string]
	Key                    attributes
	hasKey                 bool
	ConsistentRead         optional[bool]
	ReturnConsumedCapacity optional[string]
	selection
}

func (in *GetItemInput) decode(d *decoder) error {
	return d.members(func(name []byte) error {
		switch string(name) {
		case "TableName":
			return d.str(&in.TableName)
		case "Key":
			in.hasKey = true
			return d.attributes(&in.Key)
		case "ConsistentRead":
			return d.boolean(&in.ConsistentRead)
		case "ReturnConsumedCapacity":
			return d.str(&in.ReturnConsumedCapacity)
		}
		if known, err := in.selection.member(d, name); known {
			return err
		}
		if known, err := in.expressions.member(d, name); known {
			return err
		}
		return d.Skip()
	})
}

func (in *GetItemInput) check() error {
	if err := emptyTableName(in.TableName); err != nil {
		return err
	}
	var c constraints
	c.oneOf(in.ReturnConsumedCapacity, "returnConsumedCapacity", capacityModes)
	in.selection.constraints(&c)
	c.name(in.TableName, "tableName", 1)
	c.required(in.hasKey, "key")
	if err := c.err(); err != nil {
		return err
	}
	return in.checkSelection(reads, &in.expressions, in.Key.Err)
}

// getItemOutput is an item, nil where there is none, and what reading it cost.
type getItemOutput struct {
	item     item.Value
	capacity *consumed
	mode     string
}

func getItem(a *request, in *GetItemInput) (*getItemOutput, error) {
	t, err := a.account.table(in.TableName.V)
	if err != nil {
		return nil, err
	}
	if err := t.keys.checkKey(in.Key.Value); err != nil {
		return nil, err
	}
	if err := in.checkProjectionPaths(t); err != nil {
		return nil, err
	}
	out := &getItemOutput{mode: in.ReturnConsumedCapacity.V}
	key := t.key(in.Key.Value)
	as := a.replica(in.ConsistentRead.V)
	err = a.service.store.Get(key, func(value []byte, ok bool) error {
		if was, older := a.service.pendingWrites.Before(key, as); older {
			value, ok = was.Value, was.Found
		}
		if ok {
			chosen, err := in.project(value, a.budget())
			if err != nil {
				return err
			}
			out.item = bytes.Clone(chosen) // the store's bytes end with this call
		}
		if err := t.current(); err != nil {
			return err
		}
		units := readUnitsFor(sizeOf(value), in.ConsistentRead.V)
		if charged(out.mode) {
			out.capacity = &consumed{tableName: in.TableName.V, table: units}
		}
		return a.chargeRead(t, nil, units, key, false)
	})
	return out, err
}

func (o *getItemOutput) appendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	start := len(dst)
	if o.item != nil {
		dst = o.item.AppendItem(append(dst, `,"Item":`...))
	}
	if o.capacity != nil {
		dst = o.capacity.appendJSON(append(dst, `,"ConsumedCapacity":`...), o.mode)
	}
	return closeObject(dst, start)
}

func (in *GetItemInput) appendResourceRefs(dst []resourceRef) []resourceRef {
	return append(dst, resourceRef{table: in.TableName.V, item: in.Key.Value})
}

func (in *GetItemInput) traits() traits { return traits{eventual: !in.ConsistentRead.V} }

func (in *GetItemInput) policyValues(v *policyValues, _ int, _ string) {
	v.selected, v.returnConsumedCapacity = selectedBy(in.projection), orNone(in.ReturnConsumedCapacity)
	v.attributes.ofProjection(in.projection)
}
