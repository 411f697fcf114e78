package dynamo

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// Values implements iam.Values: the condition keys that AWS documents for DynamoDB.
func (q *accessContext) Values(key string) []string {
	key, ok := strings.CutPrefix(key, "dynamodb:")
	if !ok {
		return q.tags(key)
	}
	switch key {
	case "leadingkeys", "firstpartitionkeyvalues":
		return q.leadingKeys()
	case "attributes":
		return q.attributes()
	case "select":
		return one(q.selected())
	case "returnvalues":
		return one(q.returnValues())
	case "returnconsumedcapacity":
		return one(q.returnCapacity())
	case "enclosingoperation":
		if q.transacted() {
			return one(q.request.event.Operation)
		}
	}
	return nil
}

// one is a value, none for the empty one.
func one(value string) []string {
	if value == "" {
		return nil
	}
	return []string{value}
}

// leadingKeys are the partition keys that the request names. A Scan names none.
func (q *accessContext) leadingKeys() []string {
	if q.table == nil {
		return nil
	}
	if in, ok := q.in.(*QueryInput); ok {
		return q.queriedKey(in)
	}
	var keys []string
	for i := range q.refs[q.from:q.to] {
		v, ok := q.refs[q.from+i].item.Field(q.table.keys.hash.name)
		if ok {
			keys = append(keys, keyText(v))
		}
	}
	return keys
}

// queriedKey is the partition key of a Query, of the index if it reads one.
func (q *accessContext) queriedKey(in *QueryInput) []string {
	keys := q.table.keys
	if in.IndexName.Set {
		x, ok := q.table.index(in.IndexName.V)
		if !ok {
			return nil
		}
		keys = x.keys
	}
	condition, err := in.key.For(keys.schema())
	if err != nil { // it will be refused
		return nil
	}
	return []string{keyText(condition.Partition)}
}

// keyText is a key's value as policies see it: a number as the service writes it, bytes in base64.
func keyText(v item.Value) string {
	switch v.Type() {
	case item.Number:
		text := string(v.AppendJSON(nil)) // {"N":"1"}
		return strings.TrimSuffix(strings.TrimPrefix(text, `{"N":"`), `"}`)
	case item.Binary:
		return base64.StdEncoding.EncodeToString(v.Bytes())
	}
	return v.Text()
}

// selected is what a read returns: as asked for, or what the service takes it for.
func (q *accessContext) selected() string {
	switch in := q.in.(type) {
	case *QueryInput:
		return in.selected()
	case *ScanInput:
		return in.selected()
	case *GetItemInput:
		return selectedBy(in.projection != nil)
	case *BatchGetItemInput:
		return selectedBy(q.reads(in).projection != nil)
	case *TransactGetItemsInput:
		return selectedBy(in.TransactItems[q.from].projection != nil)
	}
	return ""
}

func (in *readRequest) selected() string {
	switch {
	case in.Select.Set:
		return in.Select.V
	case in.projection == nil && in.IndexName.Set:
		return "ALL_PROJECTED_ATTRIBUTES"
	}
	return selectedBy(in.projection != nil)
}

func selectedBy(specific bool) string {
	if specific {
		return "SPECIFIC_ATTRIBUTES"
	}
	return "ALL_ATTRIBUTES"
}

func (q *accessContext) returnValues() string {
	switch in := q.in.(type) {
	case *PutItemInput:
		return orNone(in.ReturnValues)
	case *UpdateItemInput:
		return orNone(in.ReturnValues)
	case *DeleteItemInput:
		return orNone(in.ReturnValues)
	}
	return ""
}

func (q *accessContext) returnCapacity() string {
	switch in := q.in.(type) {
	case *PutItemInput:
		return orNone(in.ReturnConsumedCapacity)
	case *UpdateItemInput:
		return orNone(in.ReturnConsumedCapacity)
	case *DeleteItemInput:
		return orNone(in.ReturnConsumedCapacity)
	case *GetItemInput:
		return orNone(in.ReturnConsumedCapacity)
	case *QueryInput:
		return orNone(in.ReturnConsumedCapacity)
	case *ScanInput:
		return orNone(in.ReturnConsumedCapacity)
	case *BatchGetItemInput:
		return orNone(in.ReturnConsumedCapacity)
	case *BatchWriteItemInput:
		return orNone(in.ReturnConsumedCapacity)
	case *TransactGetItemsInput:
		return orNone(in.ReturnConsumedCapacity)
	case *TransactWriteItemsInput:
		return orNone(in.ReturnConsumedCapacity)
	}
	return ""
}

func orNone(o optional[string]) string {
	if o.Set {
		return o.V
	}
	return "NONE"
}

// tags are the values of keys about tags: those of the table, and those that the request gives.
func (q *accessContext) tags(key string) []string {
	if name, ok := strings.CutPrefix(key, "aws:resourcetag/"); ok && q.table != nil {
		for _, t := range q.table.def.Tags {
			if strings.EqualFold(t.Key, name) {
				return []string{t.Value}
			}
		}
	}
	var given []TagInput
	switch in := q.in.(type) {
	case *TagResourceInput:
		given = in.Tags
	case *CreateTableInput:
		given = in.Tags
	case *UntagResourceInput:
		if key == "aws:tagkeys" {
			return slices.Clone(in.TagKeys)
		}
	}
	return givenTags(given, key)
}

func givenTags(given []TagInput, key string) []string {
	name, about := strings.CutPrefix(key, "aws:requesttag/")
	var names []string
	for _, t := range given {
		if names = append(names, *t.Key); about && strings.EqualFold(*t.Key, name) {
			return []string{*t.Value}
		}
	}
	if key == "aws:tagkeys" {
		return names
	}
	return nil
}
