package advice

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/internal/model/recording"
	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// access is an item that a request reads or writes by its key.
type access struct {
	kind  string         // Get, Put, Update, Delete or ConditionCheck
	table string         // its name
	key   string         // the key in JSON; of a put to a table whose key is unknown, the whole item
	item  map[string]any // of a put
	part  map[string]any // the request, or the part of it, with the conditions and expressions
}

// attributes returns the item of a put, otherwise the key.
func (a *access) attributes() map[string]any {
	if a.item != nil {
		return a.item
	}
	return object(a.part["Key"])
}

// writes reports whether the access changes the item.
func (a *access) writes() bool { return a.kind == "Put" || a.kind == "Update" || a.kind == "Delete" }

// conditional reports whether the access depends on the state of the item.
func (a *access) conditional() bool {
	return a.part["ConditionExpression"] != nil || a.part["Expected"] != nil
}

// accessesOf returns the items that a request names by their keys, in the request's order.
func (v *Review) accessesOf(r *Request) (all []access) {
	if r.Service != recording.DynamoDB {
		return nil
	}
	switch r.Operation {
	case "GetItem", "PutItem", "UpdateItem", "DeleteItem":
		return []access{v.access(r.Operation[:len(r.Operation)-len("Item")], r.text("TableName"), r.Body)}
	case "BatchGetItem", "BatchWriteItem":
		return v.batched(object(r.Body["RequestItems"]))
	case "TransactGetItems", "TransactWriteItems":
		for _, each := range list(r.Body["TransactItems"]) {
			for kind, part := range object(each) {
				name, _ := object(part)["TableName"].(string)
				all = append(all, v.access(kind, name, object(part)))
			}
		}
	}
	return all
}

// batched returns the items of a batch in the form of RequestItems, UnprocessedItems and UnprocessedKeys, by table.
func (v *Review) batched(items map[string]any) (all []access) {
	for _, table := range slices.Sorted(maps.Keys(items)) {
		for _, key := range list(object(items[table])["Keys"]) {
			all = append(all, v.access("Get", table, map[string]any{"Key": key,
				"ConsistentRead": object(items[table])["ConsistentRead"]}))
		}
		for _, write := range list(items[table]) {
			if put := object(object(write)["PutRequest"]); put != nil {
				all = append(all, v.access("Put", table, put))
			} else {
				all = append(all, v.access("Delete", table, object(object(write)["DeleteRequest"])))
			}
		}
	}
	return all
}

func (v *Review) access(kind, table string, part map[string]any) access {
	a := access{kind: kind, table: tableName(table), item: object(part["Item"]), part: part}
	key := object(part["Key"])
	if a.item != nil {
		key = v.keyIn(a.table, a.item)
	}
	a.key = jsonText(key)
	return a
}

// keyIn returns the key in an item of a table; if the table's key is unknown, the whole item.
func (v *Review) keyIn(table string, item map[string]any) map[string]any {
	t := v.Tables[table]
	if t == nil || t.Key.Partition == "" {
		return item
	}
	key := map[string]any{t.Key.Partition: item[t.Key.Partition]}
	if t.Key.Sort != "" {
		key[t.Key.Sort] = item[t.Key.Sort]
	}
	return key
}

// jsonText returns a decoded value in JSON, with members in the order of their names.
func jsonText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return "" // impossible: it was decoded from JSON
	}
	return string(text)
}

// program identifies the program that sent the request. Programs of one kind with one access key are one.
func (r *Request) program() string {
	client := featuresUsed.ReplaceAllString(r.Client, "")
	return r.Account + "\x00" + r.AccessKey + "\x00" + r.Principal + "\x00" + client
}

// featuresUsed matches what SDKs say in their user agents about a single request, such as that a paginator sent it.
var featuresUsed = lazyregexp.New(` m/\S+`)

// caller identifies what the program does: the trace that the request is part of, if it names one.
func (r *Request) caller() string {
	trace := r.Trace
	if parts := strings.Split(trace, "-"); len(parts) == 4 { // of traceparent: version, trace, span, flags
		trace = parts[1]
	}
	return r.program() + "\x00" + trace
}

// maxOpen is the number of callers whose last requests are remembered.
const maxOpen = 1000

// identity is equal for a request and its repetitions: members of objects may come in another order.
func (r *Request) identity() string {
	return r.program() + "\x00" + r.Operation + "\x00" + jsonText(r.Body)
}

// end is when the response was sent, by the emulator's clock.
func (r *Request) end() time.Time { return r.Time.Add(time.Duration(r.Micros) * time.Microsecond) }
