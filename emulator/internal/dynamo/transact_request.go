package dynamo

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// transactAction is one member of TransactWriteItems.
type transactAction struct {
	expressions
	kind                string // Put, Update, Delete or ConditionCheck
	TableName           optional[string]
	Item                attributes // of a Put
	Key                 attributes // of the others
	hasItem, hasKey     bool
	ConditionExpression optional[string]
	UpdateExpression    optional[string]
	OnFailure           optional[string]

	condition *expr.Condition
	update    *expr.Update
}

func (t *transactAction) decode(d *decoder) error {
	return d.structure(t.kind, func(name []byte) error {
		switch string(name) {
		case "TableName":
			return d.str(&t.TableName)
		case "Item":
			t.hasItem = true
			return d.attributes(&t.Item)
		case "Key":
			t.hasKey = true
			return d.attributes(&t.Key)
		case "ConditionExpression":
			return d.str(&t.ConditionExpression)
		case "UpdateExpression":
			return d.str(&t.UpdateExpression)
		case "ReturnValuesOnConditionCheckFailure":
			return d.str(&t.OnFailure)
		}
		if known, err := t.expressions.member(d, name); known {
			return err
		}
		return d.Skip()
	})
}

// constraints checks single members; at is the action's place, counted from 1.
func (t *transactAction) constraints(c *constraints, at int) {
	path := "transactItems." + strconv.Itoa(at) + ".member." + strings.ToLower(t.kind[:1]) + t.kind[1:] + "."
	c.name(t.TableName, path+"tableName", 1)
	if t.kind == "Put" {
		c.required(t.hasItem, path+"item")
	} else {
		c.required(t.hasKey, path+"key")
	}
	if t.kind == "ConditionCheck" {
		c.required(t.ConditionExpression.Set, path+"conditionExpression")
	}
	if t.kind == "Update" {
		c.required(t.UpdateExpression.Set, path+"updateExpression")
	}
	c.oneOf(t.OnFailure, path+"returnValuesOnConditionCheckFailure", failureModes)
}

// check checks values and expressions.
func (t *transactAction) check() error {
	exprs := []parameter{{"UpdateExpression", t.UpdateExpression.Set}, {"ConditionExpression", t.ConditionExpression.Set}}
	if t.kind != "Update" {
		exprs = exprs[1:]
	}
	if err := t.expressions.check(older, exprs, exprs, nil); err != nil {
		return err
	}
	if err := older.refuse(t.Item.Err); err != nil {
		return err
	}
	if err := older.refuse(t.Key.Err); err != nil {
		return err
	}
	if err := t.parse(); err != nil {
		return older.refuse(err)
	}
	if err := older.refuse(t.Unused()); err != nil {
		return err
	}
	return checkItemSize(t.Item.Value)
}

func (t *transactAction) parse() error {
	if t.UpdateExpression.Set && t.kind == "Update" {
		update, err := expr.ParseUpdate(t.UpdateExpression.V, &t.Placeholders)
		if err != nil {
			return err
		}
		t.update = update
	}
	if t.ConditionExpression.Set {
		c, err := expr.ParseCondition(expr.ConditionExpression, t.ConditionExpression.V, &t.Placeholders)
		if err != nil {
			return err
		}
		t.condition = c
	}
	return nil
}

// target is the item or key that says which item is meant.
func (t *transactAction) target() item.Value {
	if t.kind == "Put" {
		return t.Item.Value
	}
	return t.Key.Value
}

// size is what the action counts for in the limit of a transaction: its item or key, and the values of its expressions.
func (t *transactAction) size() int {
	size := t.target().ItemSize()
	for _, v := range t.Values {
		size += v.Value.Size()
	}
	return size
}

// checkKey refuses a key, or an item, that is not one of the table's.
func (t *transactAction) checkKey(table *table) error {
	switch t.kind {
	case "Put":
		return table.checkItem(t.Item.Value)
	case "Update":
		return table.checkUpdate(t.Key.Value, t.update)
	}
	return table.keys.checkKey(t.Key.Value)
}

// change prepares the action on a table that its key fits.
func (t *transactAction) change(a *request, table *table) *change {
	c := &change{
		by: a, table: table, key: table.key(t.target()), condition: t.condition,
		itemOnFailure: t.OnFailure.V == "ALL_OLD",
		transacted:    true,
	}
	switch t.kind {
	case "Put":
		c.next = replaceWith(t.Item.Value)
	case "Delete":
		c.next = replaceWith(nil)
	case "Update":
		c.next = table.updateWith(a, t.Key.Value, t.update)
	}
	return c
}

// fingerprint tells requests with the same token from each other: the same actions give the same one, in
// whatever order their JSON was.
func fingerprint(actions []transactAction) [32]byte {
	h := sha256.New()
	for i := range actions {
		actions[i].hash(h)
	}
	return [32]byte(h.Sum(nil))
}

func (t *transactAction) hash(h hash.Hash) {
	part := func(b string) {
		h.Write(binary.BigEndian.AppendUint32(nil, uint32(len(b))))
		h.Write([]byte(b))
	}
	part(t.kind)
	part(t.TableName.V)
	part(string(t.target()))
	part(t.ConditionExpression.V)
	part(t.UpdateExpression.V)
	part(t.OnFailure.V)
	for _, n := range slices.SortedFunc(slices.Values(t.Names), func(a, b expr.Name) int { return strings.Compare(a.Placeholder, b.Placeholder) }) {
		part(n.Placeholder)
		part(n.Attribute)
	}
	for _, v := range slices.SortedFunc(slices.Values(t.Values), func(a, b expr.Value) int { return strings.Compare(a.Placeholder, b.Placeholder) }) {
		part(v.Placeholder)
		part(string(v.Value))
	}
}
