package dynamo

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// writeRequest are the members that PutItem, UpdateItem and DeleteItem share.
type writeRequest struct {
	expressions
	TableName                   optional[string]
	ConditionExpression         optional[string]
	Expected                    legacyExpected
	ConditionalOperator         optional[string]
	ReturnValues                optional[string]
	ReturnConsumedCapacity      optional[string]
	ReturnItemCollectionMetrics optional[string]
	OnFailure                   optional[string] // ReturnValuesOnConditionCheckFailure

	condition *expr.Condition // parsed
}

// member decodes a member if it is one of these.
func (w *writeRequest) member(d *decoder, name []byte) (known bool, err error) {
	switch string(name) {
	case "TableName":
		return true, d.str(&w.TableName)
	case "ConditionExpression":
		return true, d.str(&w.ConditionExpression)
	case "Expected":
		return true, d.expected(&w.Expected)
	case "ConditionalOperator":
		return true, d.str(&w.ConditionalOperator)
	case "ReturnValues":
		return true, d.str(&w.ReturnValues)
	case "ReturnConsumedCapacity":
		return true, d.str(&w.ReturnConsumedCapacity)
	case "ReturnItemCollectionMetrics":
		return true, d.str(&w.ReturnItemCollectionMetrics)
	case "ReturnValuesOnConditionCheckFailure":
		return true, d.str(&w.OnFailure)
	}
	return w.expressions.member(d, name)
}

// constraints checks the members that are there whatever the write.
func (w *writeRequest) constraints(c *constraints) {
	c.oneOf(w.ReturnConsumedCapacity, "returnConsumedCapacity", capacityModes)
	c.name(w.TableName, "tableName", 1)
	w.Expected.constraints(c)
	if w.ConditionalOperator.Set && !inSet(w.ConditionalOperator.V, "AND, OR") {
		c.add("Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]")
	}
	w.returnValues(c)
	c.oneOf(w.ReturnItemCollectionMetrics, "returnItemCollectionMetrics", metricsModes)
	c.oneOf(w.OnFailure, "returnValuesOnConditionCheckFailure", failureModes)
}

// returnValues refuses what no operation can return.
func (w *writeRequest) returnValues(c *constraints) {
	if w.ReturnValues.Set && !inSet(w.ReturnValues.V, "ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATED_NEW, NONE") {
		// Neither value nor member is named, and UPDATE_NEW is the service's own spelling (captures of 2026-09-20).
		c.add("Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]")
	}
}

// checkPlaceholders checks the placeholders against the expressions that the request has. update and updates
// say that an UpdateExpression and AttributeUpdates were sent, updatable that they could have been.
func (w *writeRequest) checkPlaceholders(update, updates, updatable bool) error {
	exprs := []parameter{{"UpdateExpression", update}, {"ConditionExpression", w.ConditionExpression.Set}}
	withValues := exprs
	if !updatable {
		withValues = exprs[1:]
	}
	return w.expressions.check(writes, exprs, withValues, []parameter{
		{"AttributeUpdates", updates}, {"Expected", w.Expected.set}, {"ConditionalOperator", w.ConditionalOperator.Set},
	})
}

// parseCondition parses the condition, in either language.
func (w *writeRequest) parseCondition() error {
	c, err := w.Expected.parse(w.ConditionalOperator.V)
	if w.ConditionExpression.Set {
		c, err = expr.ParseCondition(expr.ConditionExpression, w.ConditionExpression.V, &w.Placeholders)
	}
	w.condition = c
	return writes.refuse(err)
}

// onlyOld refuses what neither PutItem nor DeleteItem can return.
func (w *writeRequest) onlyOld() error {
	if w.ReturnValues.Set && w.ReturnValues.V != "NONE" && w.ReturnValues.V != "ALL_OLD" {
		return writes.refuseMessage("ReturnValues can only be ALL_OLD or NONE")
	}
	return nil
}

// change prepares the request's change of the item at key.
func (w *writeRequest) change(a *request, t *table, key []byte) *change {
	return &change{
		by: a, table: t, key: key, condition: w.condition,
		keepOld:       w.ReturnValues.V == "ALL_OLD",
		itemOnFailure: w.OnFailure.V == "ALL_OLD",
	}
}

// replace puts an item, nil for none, in the place of the one that target names: an item or a key.
func (w *writeRequest) replace(a *request, t *table, target, with item.Value) (*writeOutput, error) {
	c := w.change(a, t, t.key(target))
	c.next = replaceWith(with)
	if err := a.service.apply(c); err != nil {
		return nil, err
	}
	var old item.Value
	if c.keepOld {
		old = c.old
	}
	return w.output(a, c, target, old)
}

// charged says whether a request wants to know what it consumed.
func charged(mode string) bool { return mode == "TOTAL" || mode == "INDEXES" }

// writeOutput is what PutItem, UpdateItem and DeleteItem answer.
type writeOutput struct {
	attributes item.Value // nil: none
	capacity   *consumed  // nil: not asked
	mode       string
	collection *collectionMetrics // nil: not asked, or the table has no item collections
}

// output is the answer to a change that was done.
func (w *writeRequest) output(a *request, c *change, it item.Value, attributes item.Value) (*writeOutput, error) {
	out := &writeOutput{attributes: attributes, mode: w.ReturnConsumedCapacity.V}
	if charged(out.mode) {
		out.capacity = &consumed{tableName: w.TableName.V}
		out.capacity.addWrite(c)
	}
	var err error
	if w.ReturnItemCollectionMetrics.V == "SIZE" && c.table.hasLocal() {
		out.collection, err = a.account.collectionMetrics(c.table, it)
	}
	return out, err
}

func (o *writeOutput) appendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	start := len(dst)
	if o.attributes != nil {
		dst = o.attributes.AppendItem(append(dst, `,"Attributes":`...))
	}
	if o.capacity != nil {
		dst = o.capacity.appendJSON(append(dst, `,"ConsumedCapacity":`...), o.mode)
	}
	if o.collection != nil {
		dst = o.collection.appendJSON(append(dst, `,"ItemCollectionMetrics":`...))
	}
	return closeObject(dst, start)
}

// closeObject ends an object whose members, each with a comma before it, begin at start.
func closeObject(dst []byte, start int) []byte {
	if len(dst) > start {
		dst = append(dst[:start], dst[start+1:]...)
	}
	return append(dst, '}')
}

func (w *writeRequest) policyValues(v *policyValues, _ int, _ string) {
	v.returnValues, v.returnConsumedCapacity = orNone(w.ReturnValues), orNone(w.ReturnConsumedCapacity)
	v.attributes.ofCondition(w.condition)
}
