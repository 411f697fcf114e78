package transfer

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonread"
)

// invalidItem is why an item is not imported. The next items of the object are.
type invalidItem struct{ message string }

func (e *invalidItem) Error() string { return e.message }

// records reads the items of an object, each as {"Item":{…}} in DynamoDB JSON. A record is valid until the next one is
// read. Errors: io.EOF after the last one, an *invalidItem; after any other, the rest of the object cannot be read.
type records interface{ next() ([]byte, error) }

// newRecords returns the reader of a format. A table has the keys of the items.
func newRecords(in *ImportTableInput, t *engine.Table, lines *lineReader) records {
	if *in.InputFormat == csvFormat {
		return newCSVRecords(in.csv(), t, lines)
	}
	return newJSONRecords(*in.InputFormat, lines)
}

// newJSONRecords returns the reader of ION or DYNAMODB_JSON.
func newJSONRecords(format string, lines *lineReader) records {
	if format == ion {
		return &ionRecords{lines: lines}
	}
	return jsonRecords{lines}
}

// jsonRecords reads DynamoDB JSON: objects one after the other. AWS's documentation wants each on a line of its own;
// the service also reads several on one line (getmoto/moto, test_dynamodb_import_table.py).
type jsonRecords struct{ lines *lineReader }

func (r jsonRecords) next() ([]byte, error) {
	object, err := r.lines.nextObject()
	return object, tooLarge(err)
}

// tooLarge returns the error for an item: one whose text is too long is larger than any in a table.
func tooLarge(err error) error {
	if errors.Is(err, errLongLine) {
		return &invalidItem{"Item size has exceeded the maximum allowed size"}
	}
	return err
}

// The errors for a record that is not an item. The words are ours; the service's are not recorded.
var (
	errNotJSON = errors.New("the text is not DynamoDB JSON")
	errNoItem  = errors.New("the object has no member Item")
)

// itemDecoder turns records into items of a table.
type itemDecoder struct {
	table   *engine.Table
	decoder item.Decoder
}

// decode returns the item of a record. Errors: an *invalidItem if the item is not valid in the table, any other if the
// record is no item.
func (d *itemDecoder) decode(record []byte) (item.Value, error) {
	d.decoder.Reset()
	r, err := jsonread.New(record)
	if err != nil || r.Kind() != '{' {
		return nil, errNotJSON
	}
	var it item.Value
	err = r.Object(func(name []byte) error {
		if string(name) != "Item" {
			return r.Skip()
		}
		var err error
		it, err = d.decoder.Item(&r)
		return err
	})
	if err == nil {
		err = r.End()
	}
	invalid := d.decoder.Err()
	switch {
	case errors.Is(err, jsonread.ErrSyntax):
		return nil, errNotJSON
	case err != nil:
		return nil, fmt.Errorf("the text is not DynamoDB JSON: %w", err)
	case it == nil:
		return nil, errNoItem
	case invalid != nil:
		return nil, &invalidItem{invalid.Error()}
	}
	return bytes.Clone(it), d.check(it)
}

// check returns an *invalidItem unless the table can have the item.
func (d *itemDecoder) check(it item.Value) error {
	err := engine.CheckItemSize(it)
	if err == nil {
		err = d.table.CheckItem(it)
	}
	var refused *wire.Error
	if errors.As(err, &refused) {
		return &invalidItem{refused.Message}
	}
	return err
}
