package data

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// writeRequest are the members that PutItem, UpdateItem and DeleteItem share.
type writeRequest struct {
	expressions
	TableName                   wire.TableName
	ConditionExpression         wire.Optional[string]
	Expected                    legacyExpected
	ConditionalOperator         wire.Optional[string]
	ReturnValues                wire.Optional[string]
	ReturnConsumedCapacity      wire.Optional[string]
	ReturnItemCollectionMetrics wire.Optional[string]
	OnFailure                   wire.Optional[string] // ReturnValuesOnConditionCheckFailure

	condition *expr.Condition // parsed
}

// decodeMember decodes a member if it belongs to writeRequest.
func (w *writeRequest) decodeMember(d *wire.Decoder, name []byte) (known bool, err error) {
	switch string(name) {
	case "TableName":
		return true, d.TableName(&w.TableName)
	case "ConditionExpression":
		return true, d.Str(&w.ConditionExpression)
	case "Expected":
		return true, decodeExpected(d, &w.Expected)
	case "ConditionalOperator":
		return true, d.Str(&w.ConditionalOperator)
	case "ReturnValues":
		return true, d.Str(&w.ReturnValues)
	case "ReturnConsumedCapacity":
		return true, d.Str(&w.ReturnConsumedCapacity)
	case "ReturnItemCollectionMetrics":
		return true, d.Str(&w.ReturnItemCollectionMetrics)
	case "ReturnValuesOnConditionCheckFailure":
		return true, d.Str(&w.OnFailure)
	}
	return w.expressions.decodeMember(d, name)
}

// style returns the wording of the request's errors.
func (w *writeRequest) style() wire.ErrorStyle {
	if w.veryDeep {
		return wire.LegacyErrors
	}
	return wire.WriteErrors
}

// checkConstraints checks single members. required is the name of the item or the key, and present whether it was sent.
func (w *writeRequest) checkConstraints(required string, present bool) error {
	var c wire.Constraints
	if w.veryDeep {
		w.legacyConstraints(&c)
		c.Required(present, required)
		return c.Err()
	}
	if err := wire.EmptyTableName(w.TableName); err != nil {
		return err
	}
	w.constraints(&c)
	c.Required(present, required)
	if required == "key" && present && w.wantsOtherValues() {
		// DeleteItem reports it as it does the constraints of single members (nubo-db/dynoxide, 2026-10).
		c.AddMessage(returnsOldOnly)
	}
	return c.Err()
}

// constraints checks the members that all writes have, in the order of PutItem and DeleteItem. (nubo-db/dynoxide,
// captures of seven regions on 2026-10-09.)
func (w *writeRequest) constraints(c *wire.Constraints) {
	if w.TableName.Set {
		c.TableName("tableName", w.TableName.V)
	}
	c.Enum("returnConsumedCapacity", w.ReturnConsumedCapacity, wire.CapacityModes)
	c.Required(w.TableName.Set, "tableName")
	w.Expected.constraints(c)
	w.checkReturnValues(c)
	c.Enum("returnItemCollectionMetrics", w.ReturnItemCollectionMetrics, wire.MetricsModes)
	c.Enum("returnValuesOnConditionCheckFailure", w.OnFailure, wire.FailureModes)
}

// legacyConstraints checks the members that all writes have as the older validation does, which names every value.
func (w *writeRequest) legacyConstraints(c *wire.Constraints) {
	c.Enum("returnConsumedCapacity", w.ReturnConsumedCapacity, wire.CapacityModes)
	c.AnyTableName("tableName", w.TableName)
	c.Enum("conditionalOperator", w.ConditionalOperator, wire.ConditionalOperators)
	c.Enum("returnValues", w.ReturnValues, "ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW")
	c.Enum("returnValuesOnConditionCheckFailure", w.OnFailure, wire.FailureModes)
	c.Enum("returnItemCollectionMetrics", w.ReturnItemCollectionMetrics, wire.MetricsModes)
}

// checkReturnValues returns an error for a ReturnValues that no operation has.
func (w *writeRequest) checkReturnValues(c *wire.Constraints) {
	if w.ReturnValues.Set && !wire.InEnum(w.ReturnValues.V, "ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATED_NEW, NONE") {
		// Neither value nor member is named, and UPDATE_NEW is the service's own spelling (captures of 2026-09-20).
		c.AddMessage(
			"Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]")
	}
}

// checkPlaceholders checks the placeholders against the request's expressions. update and updates report whether
// UpdateExpression and AttributeUpdates were sent, updatable whether the operation has them.
func (w *writeRequest) checkPlaceholders(update, updates, updatable bool) error {
	exprs := []parameter{{"UpdateExpression", update}, {"ConditionExpression", w.ConditionExpression.Set}}
	withValues := exprs
	if !updatable {
		withValues = exprs[1:]
	}
	return w.expressions.checkExpressions(w.style(), exprs, withValues, []parameter{
		{"AttributeUpdates", updates}, {"Expected", w.Expected.set}, {"ConditionalOperator", w.ConditionalOperator.Set},
	})
}

// parseCondition parses ConditionExpression, or Expected.
func (w *writeRequest) parseCondition() error {
	c, err := w.Expected.parse(w.ConditionalOperator.V)
	if w.ConditionExpression.Set {
		c, err = expr.ParseCondition(expr.ConditionExpression, w.ConditionExpression.V, &w.Placeholders)
	}
	w.condition = c
	return w.style().Convert(err)
}

const returnsOldOnly = "ReturnValues can only be ALL_OLD or NONE"

// wantsOtherValues reports whether ReturnValues is one that PutItem and DeleteItem do not support.
func (w *writeRequest) wantsOtherValues() bool {
	return wire.InEnum(w.ReturnValues.V, "UPDATED_OLD, ALL_NEW, UPDATED_NEW")
}

// change returns the request's Change of the item at key.
func (w *writeRequest) change(req *engine.Request, t *engine.Table, key []byte) *engine.Change {
	return &engine.Change{
		Request: req, Table: t, Key: key, Condition: w.condition,
		ReturnOld:           w.ReturnValues.V == "ALL_OLD",
		ReturnItemOnFailure: w.OnFailure.V == "ALL_OLD",
	}
}

// replace replaces the item that target, an item or a key, identifies by next; nil deletes it.
func (w *writeRequest) replace(req *engine.Request, t *engine.Table, target, next item.Value) (*writeOutput, error) {
	if err := checkConditionPaths(t, w.condition); err != nil {
		return nil, err
	}
	c := w.change(req, t, t.Key(target))
	c.Next = replaceWith(next)
	if err := req.Engine.Apply(c); err != nil {
		return nil, err
	}
	var old item.Value
	if c.ReturnOld {
		old = c.Old
	}
	return w.output(req, c, target, old)
}

// wantsCapacity reports whether the request asks for ConsumedCapacity.
func wantsCapacity(mode string) bool { return mode == "TOTAL" || mode == "INDEXES" }

// writeOutput is the response of PutItem, UpdateItem and DeleteItem.
type writeOutput struct {
	attributes item.Value               // nil: none
	capacity   *engine.ConsumedCapacity // nil: not requested
	mode       string
	collection *collectionMetrics // nil: not requested, or the table has no item collections
}

// output returns the response for a change that succeeded.
func (w *writeRequest) output(req *engine.Request, c *engine.Change, it item.Value,
	attributes item.Value) (*writeOutput, error) {
	out := &writeOutput{attributes: attributes, mode: w.ReturnConsumedCapacity.V}
	if wantsCapacity(out.mode) {
		out.capacity = &engine.ConsumedCapacity{TableName: w.TableName.Sent}
		out.capacity.AddWrite(c)
	}
	var err error
	if w.ReturnItemCollectionMetrics.V == "SIZE" && c.Table.HasLocalIndex() {
		out.collection, err = newCollectionMetrics(req, c.Table, collectionKey(c.Table, it))
	}
	return out, err
}

func (o *writeOutput) AppendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	start := len(dst)
	if o.attributes != nil {
		dst = o.attributes.AppendItem(append(dst, `,"Attributes":`...))
	}
	if o.capacity != nil {
		dst = o.capacity.AppendJSON(append(dst, `,"ConsumedCapacity":`...), o.mode)
	}
	if o.collection != nil {
		dst = o.collection.AppendJSON(append(dst, `,"ItemCollectionMetrics":`...))
	}
	return wire.CloseObject(dst, start)
}

func (w *writeRequest) PolicyValues(v *engine.PolicyValues, _ int, _ string) {
	v.ReturnValues, v.ReturnConsumedCapacity = engine.OrNone(w.ReturnValues), engine.OrNone(w.ReturnConsumedCapacity)
	v.Attributes.AddCondition(w.condition)
}
