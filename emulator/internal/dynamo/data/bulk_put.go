package data

import (
	"bytes"
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// ErrNoItem is the error for a record of a bulk operation without an item.
var ErrNoItem = errors.New("the record has no member Item")

// BulkPut is a put of a bulk operation.
type BulkPut struct {
	Item      item.Value
	condition *expr.Condition // nil: none
}

// BulkPutReader decodes the records of a bulk operation: objects with the members Item, ConditionExpression,
// ExpressionAttributeNames and ExpressionAttributeValues, which mean what they do in a PutItem.
type BulkPutReader struct {
	decoder wire.Decoder
	in      bulkRecord
}

// bulkRecord is a PutItem with those members only.
type bulkRecord struct{ PutItemInput }

func (in *bulkRecord) Decode(d *wire.Decoder) error {
	err := d.Members(func(name []byte) error {
		switch string(name) {
		case "Item":
			in.hasItem = true
			return d.Attributes(&in.Item)
		case "ConditionExpression":
			return d.Str(&in.ConditionExpression)
		}
		if known, err := in.expressions.decodeMember(d, name); known {
			return err
		}
		return d.Skip()
	})
	in.veryDeep = d.Items.VeryDeep
	return err
}

// Read decodes a record, which is checked as a PutItem is. Errors: ErrNoItem, and those of PutItem; a
// SerializationException means that the record is not DynamoDB JSON.
func (r *BulkPutReader) Read(record []byte) (*BulkPut, error) {
	r.decoder.Items.Reset()
	r.in = bulkRecord{}
	if err := r.decoder.Decode(&r.in, record); err != nil {
		return nil, err
	}
	if !r.in.hasItem {
		return nil, ErrNoItem
	}
	r.in.TableName = wire.NamedTable("any") // that of the operation is checked already
	if err := r.in.Check(); err != nil {
		return nil, err
	}
	return &BulkPut{bytes.Clone(r.in.Item.Value), r.in.condition}, nil
}

// IsConditional reports whether the put has a condition. Its memory is that of the reader: it is valid until the next
// record is read.
func (b *BulkPut) IsConditional() bool { return b.condition != nil }

// Change returns the change of a table, whose author the caller sets. No request pays for it: it consumes no capacity
// of the table.
// Errors: those of PutItem for an item or a condition that does not fit the table.
func (b *BulkPut) Change(t *engine.Table) (*engine.Change, error) {
	if err := t.CheckItem(b.Item); err != nil {
		return nil, err
	}
	if err := checkConditionPaths(t, b.condition); err != nil {
		return nil, err
	}
	return &engine.Change{Table: t, Key: t.Key(b.Item), Condition: b.condition, Next: replaceWith(b.Item),
		ReturnItemOnFailure: true}, nil
}
