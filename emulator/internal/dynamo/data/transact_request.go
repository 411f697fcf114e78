package data

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// dumpActions returns the members of a transaction as Java prints them.
func dumpActions(actions []transactAction) string {
	var parts []string
	for i := range actions {
		t := &actions[i]
		target := "key=" + wire.DumpItem(t.target())
		if t.kind == "Put" {
			target = "item=" + wire.DumpItem(t.target())
		}
		parts = append(parts, "TransactWriteItem("+strings.ToLower(t.kind[:1])+t.kind[1:]+"="+t.kind+"("+target+
			", tableName="+t.TableName.V+"))")
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// transactAction is one member of TransactWriteItems.
type transactAction struct {
	expressions
	kind                string // Put, Update, Delete or ConditionCheck
	member              int    // of the request's list, counted from 1
	TableName           wire.TableName
	Item                wire.Attributes // of a Put
	Key                 wire.Attributes // of the others
	hasItem, hasKey     bool
	ConditionExpression wire.Optional[string]
	UpdateExpression    wire.Optional[string]
	OnFailure           wire.Optional[string]

	condition *expr.Condition
	update    *expr.Update
	statement bool // of a PartiQL statement: its Put must not replace an item, its Delete may find none
}

func (t *transactAction) Decode(d *wire.Decoder) error {
	return d.Structure(t.kind, func(name []byte) error {
		switch string(name) {
		case "TableName":
			return d.TableName(&t.TableName)
		case "Item":
			t.hasItem = true
			return d.Attributes(&t.Item)
		case "Key":
			t.hasKey = true
			return d.Attributes(&t.Key)
		case "ConditionExpression":
			return d.Str(&t.ConditionExpression)
		case "UpdateExpression":
			return d.Str(&t.UpdateExpression)
		case "ReturnValuesOnConditionCheckFailure":
			return d.Str(&t.OnFailure)
		case "ExpressionAttributeValues":
			// In 30 of 33 regions a value of a level too many is compared, or written in vain (paritysuite, 2026-10).
			d.Items.ExtraDepth = 1
			defer func() { d.Items.ExtraDepth = 0 }()
		}
		if known, err := t.expressions.decodeMember(d, name); known {
			return err
		}
		return d.Skip()
	})
}

// path is the beginning of the paths of the action's members in messages.
func (t *transactAction) path() string {
	return "transactItems." + strconv.Itoa(t.member) + ".member." + strings.ToLower(t.kind[:1]) + t.kind[1:] + "."
}

// isComplete reports whether constraints finds nothing.
func (t *transactAction) isComplete() bool {
	target := t.hasKey
	if t.kind == "Put" {
		target = t.hasItem
	}
	return target && t.TableName.Set && (t.kind != "ConditionCheck" || t.ConditionExpression.Set) &&
		(t.kind != "Update" || t.UpdateExpression.Set) &&
		(!t.OnFailure.Set || wire.InEnum(t.OnFailure.V, wire.FailureModes))
}

// constraints checks single members, but for the table's name.
func (t *transactAction) constraints(c *wire.Constraints) {
	if t.isComplete() {
		return // without making paths, which only messages need
	}
	path := t.path()
	c.Required(t.TableName.Set, path+"tableName")
	if t.kind == "Put" {
		c.Required(t.hasItem, path+"item")
	} else {
		c.Required(t.hasKey, path+"key")
	}
	if t.kind == "ConditionCheck" {
		c.Required(t.ConditionExpression.Set, path+"conditionExpression")
	}
	if t.kind == "Update" {
		c.Required(t.UpdateExpression.Set, path+"updateExpression")
	}
	c.Enum(path+"returnValuesOnConditionCheckFailure", t.OnFailure, wire.FailureModes)
}

// Check checks values and expressions: sets and numbers of the item or key, then those of expressions, then the
// expressions, and last how deep the item or key is nested. (paritysuite, ten regions, 2026-10-09.)
func (t *transactAction) Check() error {
	target := errors.Join(t.Item.Err, t.Key.Err) // an action has one of both
	tooDeep := errors.Is(target, item.ErrNesting)
	if target != nil && !tooDeep {
		return wire.LegacyErrors.Convert(target)
	}
	if err := t.checkPlaceholdersAndValues(wire.LegacyErrors); err != nil {
		return err
	}
	if err := t.parse(); err != nil {
		return wire.LegacyErrors.Convert(err)
	}
	if t.update != nil || t.condition != nil { // us-east-1 ignores the placeholders of a Put without a condition
		if err := wire.LegacyErrors.Convert(t.Unused()); err != nil {
			return err
		}
	}
	if tooDeep {
		return wire.LegacyErrors.Convert(target)
	}
	return engine.CheckItemSize(t.Item.Value)
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

// target returns the item or the key that identifies the action's item.
func (t *transactAction) target() item.Value {
	if t.kind == "Put" {
		return t.Item.Value
	}
	return t.Key.Value
}

// size returns the action's part of the size of a transaction: its item or key, and the values of its expressions.
func (t *transactAction) size() int {
	size := t.target().ItemSize()
	if t.statement && t.kind == "Put" {
		return size // the parameters are in the item
	}
	for _, v := range t.Values {
		size += v.Value.Size()
	}
	return size
}

// checkAgainst returns an error if the key, the item, the update or the condition does not fit the table.
func (t *transactAction) checkAgainst(table *engine.Table) error {
	if err := t.checkKey(table); err != nil {
		return err
	}
	return checkConditionPaths(table, t.condition)
}

func (t *transactAction) checkKey(table *engine.Table) error {
	switch t.kind {
	case "Put":
		return table.CheckItem(t.Item.Value)
	case "Update":
		return checkUpdate(table, t.Key.Value, t.update)
	}
	return table.Keys.CheckKey(t.Key.Value)
}

// change returns the Change of the action. Its key must fit the table.
func (t *transactAction) change(req *engine.Request, table *engine.Table) *engine.Change {
	c := &engine.Change{
		Request: req, Table: table, Key: table.Key(t.target()), Condition: t.condition,
		ReturnItemOnFailure: t.OnFailure.V == "ALL_OLD",
		Transactional:       true,
	}
	switch t.kind {
	case "Put":
		c.Next, c.Insert = replaceWith(t.Item.Value), t.statement
	case "Delete":
		c.Next, c.MissingMatches = replaceWith(nil), t.statement
	case "Update":
		c.Next = UpdateWith(table, req, t.Key.Value, t.update)
	}
	if t.statement && c.Next != nil {
		c.Next = withStatementDepth(c.Next)
	}
	return c
}

// fingerprint returns a hash of the actions. Requests with the same actions have the same fingerprint, whatever the
// order of their JSON members.
func fingerprint(actions []transactAction) [32]byte {
	h := sha256.New()
	for i := range actions {
		actions[i].hash(h)
	}
	return [32]byte(h.Sum(nil))
}

func (t *transactAction) hash(h hash.Hash) {
	write := func(b string) {
		h.Write(binary.BigEndian.AppendUint32(nil, uint32(len(b))))
		h.Write([]byte(b))
	}
	write(t.kind)
	write(t.TableName.V)
	write(string(t.target().Plain()))
	write(t.ConditionExpression.V)
	write(t.UpdateExpression.V)
	write(t.OnFailure.V)
	for _, n := range slices.SortedFunc(slices.Values(t.Names), func(a, b expr.Name) int {
		return strings.Compare(a.Placeholder, b.Placeholder)
	}) {
		write(n.Placeholder)
		write(n.Attribute)
	}
	for _, v := range slices.SortedFunc(slices.Values(t.Values), func(a, b expr.Value) int {
		return strings.Compare(a.Placeholder, b.Placeholder)
	}) {
		write(v.Placeholder)
		write(string(v.Value))
	}
}
