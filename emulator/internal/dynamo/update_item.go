package dynamo

import (
	"bytes"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// UpdateItemInput changes attributes of the item of a key, which is made if there is none.
type UpdateItemInput struct {
	writeRequest
	Key              attributes
	hasKey           bool
	UpdateExpression optional[string]
	AttributeUpdates legacyUpdates

	update *expr.Update // nil: nothing but the key
}

func (in *UpdateItemInput) decode(d *decoder) error {
	return d.members(func(name []byte) error {
		switch string(name) {
		case "Key":
			in.hasKey = true
			return d.attributes(&in.Key)
		case "UpdateExpression":
			return d.str(&in.UpdateExpression)
		case "AttributeUpdates":
			return d.updates(&in.AttributeUpdates)
		}
		if known, err := in.member(d, name); known {
			return err
		}
		return d.Skip()
	})
}

func (in *UpdateItemInput) check() error {
	if err := in.checkConstraints(); err != nil {
		return err
	}
	if err := in.checkPlaceholders(in.UpdateExpression.Set, in.AttributeUpdates.set, true); err != nil {
		return err
	}
	if err := writes.refuse(in.Key.Err); err != nil {
		return err
	}
	if err := in.parseUpdate(); err != nil {
		return err
	}
	if err := in.parseCondition(); err != nil {
		return err
	}
	return writes.refuse(in.Unused())
}

// checkConstraints differs from that of the other writes: a wrong ReturnValues is told alone, and a request
// without a key in the older words. (paritysuite/dynamodb-conformance, 2026-10: 31 of 33 regions.)
func (in *UpdateItemInput) checkConstraints() error {
	var c constraints
	if !in.hasKey {
		c.oneOf(in.ReturnConsumedCapacity, "returnConsumedCapacity", capacityModes)
		c.name(in.TableName, "tableName", 1)
		c.oneOf(in.ConditionalOperator, "conditionalOperator", logicOperators)
		c.oneOf(in.ReturnValues, "returnValues", "ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW")
		c.required(false, "key")
		return c.err()
	}
	if err := emptyTableName(in.TableName); err != nil {
		return err
	}
	if in.returnValues(&c); len(c.failures) == 0 {
		in.constraints(&c)
		in.AttributeUpdates.constraints(&c)
	}
	return c.err()
}

func (in *UpdateItemInput) parseUpdate() error {
	var err error
	switch {
	case in.UpdateExpression.Set:
		in.update, err = expr.ParseUpdate(in.UpdateExpression.V, &in.Placeholders)
	case in.AttributeUpdates.set:
		in.update, err = in.AttributeUpdates.parse()
	}
	return writes.refuse(err)
}

func updateItem(a *request, in *UpdateItemInput) (*writeOutput, error) {
	t, err := a.account.table(in.TableName.V)
	if err != nil {
		return nil, err
	}
	if err := t.checkUpdate(in.Key.Value, in.update); err != nil {
		return nil, err
	}
	c := in.change(a, t, t.key(in.Key.Value))
	c.keepOld = in.ReturnValues.V == "ALL_OLD" || in.ReturnValues.V == "UPDATED_OLD"
	c.next = t.updateWith(a, in.Key.Value, in.update)
	if err := a.service.apply(c); err != nil {
		return nil, err
	}
	return in.output(a, c, in.Key.Value, in.returned(c))
}

// checkUpdate refuses a key that is not the table's, and an update of it.
func (t *table) checkUpdate(key item.Value, update *expr.Update) error {
	if err := t.keys.checkKey(key); err != nil {
		return err
	}
	if update == nil {
		return nil
	}
	if err := update.CheckKey(t.keys.names()...); err != nil {
		return validationError(err.Error())
	}
	for _, x := range t.indexes {
		if err := x.checkAssigned(update); err != nil {
			return err
		}
	}
	return t.checkScalars(update.Paths())
}

// checkAssigned refuses an update that gives an attribute of the index's key another type, whatever the item.
func (x *index) checkAssigned(update *expr.Update) error {
	for _, k := range x.keys.attributes() {
		if typ := update.Assigned(k.name); typ != 0 && typ != k.typ {
			return x.wrongType(k, typ)
		}
	}
	return nil
}

// updateWith is what an update makes of an item, or of its key alone where there is none.
func (t *table) updateWith(by *request, key item.Value, update *expr.Update) func(item.Value) (item.Value, error) {
	return func(old item.Value) (item.Value, error) {
		it, err := old, error(nil)
		switch {
		case old == nil && update == nil:
			it = key
		case old == nil:
			it, err = update.Create(key, by.budget())
		case update != nil:
			it, err = update.Apply(old, by.budget())
		}
		if ended := by.budget().Step(0); ended != nil {
			return nil, ended
		}
		if err != nil {
			return nil, validationError(err.Error())
		}
		if old != nil && &it[0] == &old[0] {
			it = bytes.Clone(it) // old ends with the transaction
		}
		return it, t.checkUpdated(old, it)
	}
}

// checkUpdated refuses what only the update's result shows.
func (t *table) checkUpdated(old, it item.Value) error {
	if len(it) > maxItem/4 && it.ItemSize() > maxItem {
		return validationError("Item size to update has exceeded the maximum allowed size")
	}
	if it.ItemDepth() > item.MaxDepth {
		return validationError("Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit")
	}
	for _, x := range t.indexes {
		if err := x.checkUpdated(old, it); err != nil {
			return err
		}
	}
	return nil
}

// checkUpdated is checkItem for the attributes that an update changes, in its words. An item from before the index may hold
// what the index does not take (nubo-db/dynoxide, 2026).
func (x *index) checkUpdated(old, it item.Value) error {
	for _, k := range x.keys.attributes() {
		was, _ := old.Field(k.name)
		v, ok := it.Field(k.name)
		if !ok || bytes.Equal(v, was) {
			continue
		}
		if v.Type() == k.typ && k.typ != item.Number && len(v.Bytes()) == 0 {
			return validationError("One or more parameter values are not valid. The update expression attempted to update a secondary index key to a value that is not supported. " +
				"The AttributeValue for a key attribute cannot contain an empty " + emptyKind(k.typ) + " value.")
		}
		if err := x.checkAttribute(k, v); err != nil {
			return err
		}
	}
	return nil
}

// returned is what ReturnValues asks of a change, nil for nothing.
func (in *UpdateItemInput) returned(c *change) item.Value {
	var all item.Value
	switch in.ReturnValues.V {
	case "ALL_OLD":
		return c.old
	case "ALL_NEW":
		return c.new
	case "UPDATED_OLD":
		all = c.old
	case "UPDATED_NEW":
		all = c.new
	}
	if all == nil || in.update == nil {
		return nil
	}
	if touched, err := in.update.Touched().Apply(all, nil); err == nil && touched.Len() > 0 {
		return touched
	}
	return nil
}

func (in *UpdateItemInput) appendResourceRefs(dst []resourceRef) []resourceRef {
	return append(dst, resourceRef{table: in.TableName.V, item: in.Key.Value})
}

func (in *UpdateItemInput) traits() traits { return traits{holds: true, writes: true} }

func (in *UpdateItemInput) policyValues(v *policyValues, member int, table string) {
	v.attributes.ofUpdate(in.update)
	in.writeRequest.policyValues(v, member, table)
}
