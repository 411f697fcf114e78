package data

import (
	"bytes"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// UpdateItemInput updates attributes of the item with a key, or creates the item.
type UpdateItemInput struct {
	writeRequest
	Key              wire.Attributes
	hasKey           bool
	UpdateExpression wire.Optional[string]
	AttributeUpdates legacyUpdates

	update *expr.Update // nil: only the key
}

func (in *UpdateItemInput) Decode(d *wire.Decoder) error {
	err := d.Members(func(name []byte) error {
		switch string(name) {
		case "Key":
			in.hasKey = true
			return d.Attributes(&in.Key)
		case "UpdateExpression":
			return d.Str(&in.UpdateExpression)
		case "AttributeUpdates":
			return decodeUpdates(d, &in.AttributeUpdates)
		}
		if known, err := in.decodeMember(d, name); known {
			return err
		}
		return d.Skip()
	})
	in.veryDeep = d.Items.VeryDeep
	return err
}

func (in *UpdateItemInput) Check() error {
	if err := in.checkConstraints(); err != nil {
		return err
	}
	if err := in.checkPlaceholders(in.UpdateExpression.Set, in.AttributeUpdates.set, true); err != nil {
		return err
	}
	if err := in.style().Convert(in.Key.Err); err != nil {
		return err
	}
	if err := in.parseUpdate(); err != nil {
		return err
	}
	if err := in.parseCondition(); err != nil {
		return err
	}
	return in.style().Convert(in.Unused())
}

// checkConstraints differs from the other writes: it reports an invalid table name alone, and otherwise one constraint,
// two of them without the prefix. A request without a key or a table name, or with a very deep value, gets the
// older messages.
// (paritysuite/dynamodb-conformance and nubo-db/dynoxide, captures of seven regions on 2026-10-09.)
func (in *UpdateItemInput) checkConstraints() error {
	var c wire.Constraints
	if !in.hasKey || !in.TableName.Set || in.veryDeep {
		in.legacyConstraints(&c)
		c.Required(in.hasKey, "key")
		return c.Err()
	}
	if err := wire.EmptyTableName(in.TableName); err != nil {
		return err
	}
	if c.EveryTableName("tableName", in.TableName.V); len(c.Violations) > 0 {
		return c.Err()
	}
	if in.checkReturnValues(&c); len(c.Violations) > 0 {
		return c.Err()
	}
	c.Enum("returnValuesOnConditionCheckFailure", in.OnFailure, wire.FailureModes)
	if len(c.Violations) > 0 {
		return wire.ValidationError(c.Violations[0])
	}
	c.Enum("returnItemCollectionMetrics", in.ReturnItemCollectionMetrics, wire.MetricsModes)
	if len(c.Violations) > 0 {
		return c.Err()
	}
	c.Enum("returnConsumedCapacity", in.ReturnConsumedCapacity, wire.CapacityModes)
	if len(c.Violations) > 0 {
		return wire.ValidationError(c.Violations[0])
	}
	in.Expected.constraints(&c)
	in.AttributeUpdates.constraints(&c)
	return c.Err()
}

func (in *UpdateItemInput) parseUpdate() error {
	var err error
	switch {
	case in.UpdateExpression.Set:
		in.update, err = expr.ParseUpdate(in.UpdateExpression.V, &in.Placeholders)
	case in.AttributeUpdates.set:
		in.update, err = in.AttributeUpdates.parse()
	}
	return in.style().Convert(err)
}

// UpdateItem updates attributes of the item with a key, or creates the item, if the condition holds.
func UpdateItem(req *engine.Request, in *UpdateItemInput) (*writeOutput, error) {
	t, err := req.Account.Table(in.TableName.V)
	if err != nil {
		return nil, err
	}
	if err := checkUpdate(t, in.Key.Value, in.update); err != nil {
		return nil, err
	}
	if err := checkConditionPaths(t, in.condition); err != nil {
		return nil, err
	}
	if in.UpdateExpression.Set && in.update.WritesMoreThan(engine.MaxItemSize) {
		// Before the condition. The other surfaces only measure the item that the update leaves: AttributeUpdates,
		// transactions (paritysuite, October 2026).
		return nil, errUpdateSize()
	}
	c := in.change(req, t, t.Key(in.Key.Value))
	c.ReturnOld = in.ReturnValues.V == "ALL_OLD" || in.ReturnValues.V == "UPDATED_OLD"
	c.Next = UpdateWith(t, req, in.Key.Value, in.update)
	if err := req.Engine.Apply(c); err != nil {
		return nil, err
	}
	return in.output(req, c, in.Key.Value, in.returnedAttributes(c))
}

// checkUpdate returns an error for a key that does not match the table's schema, or an update that changes key
// attributes or leads into them.
func checkUpdate(t *engine.Table, key item.Value, update *expr.Update) error {
	if err := t.Keys.CheckKey(key); err != nil {
		return err
	}
	if update == nil {
		return nil
	}
	if err := update.CheckKey(t.Keys.Names()...); err != nil {
		return wire.ValidationError(err.Error())
	}
	for _, x := range t.Indexes {
		if err := checkAssigned(x, update); err != nil {
			return err
		}
	}
	return checkScalars(t, update)
}

// checkAssigned returns an error for an update that gives a key attribute of the index another type, whatever the item.
func checkAssigned(x *engine.Index, update *expr.Update) error {
	for _, k := range x.Keys.Attributes() {
		if typ := update.AssignedType(k.Name); typ != 0 && typ != k.Type {
			return x.WrongType(k, typ)
		}
	}
	return nil
}

// UpdateWith returns a Next that applies an update to the old item, or to the key alone if there is no item. An update
// that only removes does not create an item (the API reference of AttributeValueUpdate: DELETE of a missing item,
// "Nothing happens"; ScyllaDB's tests of the service say so of REMOVE and DELETE in expressions, too).
func UpdateWith(t *engine.Table, req *engine.Request, key item.Value, update *expr.Update) func(item.Value) (item.Value,
	error) {
	return func(old item.Value) (item.Value, error) {
		it, err := old, error(nil)
		switch {
		case old == nil && update == nil:
			it = key
		case old == nil:
			if it, err = update.Create(key, req.Budget()); err == nil && update.OnlyRemoves() {
				return nil, req.Budget().Step(0)
			}
		case update != nil:
			it, err = update.Apply(old, req.Budget())
		}
		if ended := req.Budget().Step(0); ended != nil {
			return nil, ended
		}
		if err != nil {
			return nil, wire.ValidationError(err.Error())
		}
		if old != nil && &it[0] == &old[0] {
			it = bytes.Clone(it) // old ends with the transaction
		}
		it = it.KeepSize()
		return it, checkUpdated(t, old, it)
	}
}

func errUpdateSize() error {
	return wire.ValidationError("Item size to update has exceeded the maximum allowed size")
}

// checkUpdated returns an error that only the update's result shows.
func checkUpdated(t *engine.Table, old, it item.Value) error {
	if len(it) > engine.MaxItemSize/4 && it.ItemSize() > engine.MaxItemSize {
		return errUpdateSize()
	}
	if it.ItemDepth() > item.MaxDepth {
		// The shorter message. (nubo-db/dynoxide, us-east-1 and eu-west-2, 2026-10-09.)
		return wire.ValidationError("Nesting Levels have exceeded supported limits")
	}
	for _, x := range t.Indexes {
		if err := checkIndexUpdated(x, old, it); err != nil {
			return err
		}
	}
	for _, x := range t.Vectors {
		if err := x.CheckUpdated(old, it); err != nil {
			return err
		}
	}
	return nil
}

// checkIndexUpdated is Index.CheckItem for the attributes that an update changes, with the messages for updates
// (dynalite; the API reference of TransactWriteItems). checkAssigned has found before which values of the request have
// the wrong type. Unchanged attributes of an item older than the index may hold values that the index does not accept
// (nubo-db/dynoxide, 2026).
func checkIndexUpdated(x *engine.Index, old, it item.Value) error {
	for _, k := range x.Keys.Attributes() {
		previous, _ := old.Field(k.Name)
		v, ok := it.Field(k.Name)
		if !ok || bytes.Equal(v, previous) {
			continue
		}
		if v.Type() == k.Type && k.Type != item.Number && len(v.Bytes()) == 0 {
			return wire.EmptyKeyError(
				"The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty " + engine.EmptyKind(k.Type) + " value.")
		}
		if v.Type() != k.Type {
			return wire.ValidationError("The update expression attempted to update the secondary index key to unsupported type")
		}
		if x.CheckAttribute(k, v) != nil {
			return wire.ValidationError(
				"The update expression attempted to update the secondary index key beyond allowed size limits")
		}
	}
	return nil
}

// returnedAttributes returns the attributes that ReturnValues requests, nil for none.
func (in *UpdateItemInput) returnedAttributes(c *engine.Change) item.Value {
	var all item.Value
	switch in.ReturnValues.V {
	case "ALL_OLD":
		return c.Old
	case "ALL_NEW":
		return c.New
	case "UPDATED_OLD":
		all = c.Old
	case "UPDATED_NEW":
		all = c.New
	}
	if all == nil || in.update == nil || in.update.Empty() {
		return nil
	}
	if changed, err := in.update.TargetProjection().Apply(all, nil); err == nil && changed.Len() > 0 {
		return changed
	}
	return nil
}

func (in *UpdateItemInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Table: in.TableName.V, Item: in.Key.Value})
}

func (in *UpdateItemInput) Traits() engine.Traits {
	return engine.Traits{HoldsLatches: true, Writes: true}
}

func (in *UpdateItemInput) PolicyValues(v *engine.PolicyValues, member int, table string) {
	v.Attributes.AddUpdate(in.update)
	in.writeRequest.PolicyValues(v, member, table)
}
