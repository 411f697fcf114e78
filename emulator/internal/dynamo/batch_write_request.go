package dynamo

import (
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// BatchWriteItemInput puts and deletes items of several tables, each by itself.
type BatchWriteItemInput struct {
	RequestItems                []tableWrites
	hasItems                    bool
	ReturnConsumedCapacity      optional[string]
	ReturnItemCollectionMetrics optional[string]
}

// tableWrites are the requests for one table.
type tableWrites struct {
	table    string
	requests []writeOne
}

// writeOne is a put or a delete.
type writeOne struct {
	item    attributes // of a put
	key     attributes // of a delete
	puts    int
	deletes int
	hasItem bool
	hasKey  bool
}

func (w *writeOne) target() item.Value {
	if w.puts > 0 {
		return w.item.Value
	}
	return w.key.Value
}

func (in *BatchWriteItemInput) decode(d *decoder) error {
	d.items.Older = true
	return d.members(func(name []byte) error {
		switch string(name) {
		case "RequestItems":
			in.hasItems = true
			return d.mapping("java.util.List<com.amazonaws.dynamodb.v20120810.WriteRequest>", func(key []byte) error {
				t := tableWrites{table: string(key)}
				err := t.decode(d)
				in.RequestItems = append(in.RequestItems, t)
				return err
			})
		case "ReturnConsumedCapacity":
			return d.str(&in.ReturnConsumedCapacity)
		case "ReturnItemCollectionMetrics":
			return d.str(&in.ReturnItemCollectionMetrics)
		}
		return d.Skip()
	})
}

func (t *tableWrites) decode(d *decoder) error {
	if d.Kind() != '[' {
		return d.parameterized()
	}
	return d.list(func() error {
		var w writeOne
		err := d.element("WriteRequest", func(name []byte) error {
			switch string(name) {
			case "PutRequest":
				w.puts++
				return w.decodePart(d, "PutRequest", "Item", &w.item, &w.hasItem)
			case "DeleteRequest":
				w.deletes++
				return w.decodePart(d, "DeleteRequest", "Key", &w.key, &w.hasKey)
			}
			return d.Skip()
		})
		t.requests = append(t.requests, w)
		return err
	})
}

func (w *writeOne) decodePart(d *decoder, class, member string, dst *attributes, has *bool) error {
	return d.structure(class, func(name []byte) error {
		if string(name) != member {
			return d.Skip()
		}
		*has = true
		return d.attributes(dst)
	})
}

func (in *BatchWriteItemInput) check() error {
	if in.hasItems && len(in.RequestItems) == 0 {
		return validationError("The requestItems parameter is required for BatchWriteItem")
	}
	var c constraints
	c.required(in.hasItems, "requestItems")
	c.oneOf(in.ReturnConsumedCapacity, "returnConsumedCapacity", capacityModes)
	c.oneOf(in.ReturnItemCollectionMetrics, "returnItemCollectionMetrics", metricsModes)
	if err := c.err(); err != nil { // an enum is told before, and without, what is wrong with the tables
		return err
	}
	in.constraints(&c)
	if err := c.err(); err != nil {
		return err
	}
	return in.checkRequests()
}

// constraints checks the map of tables, which is shown once for all its keys and once for all its values.
func (in *BatchWriteItemInput) constraints(c *constraints) {
	if slices.ContainsFunc(in.RequestItems, func(t tableWrites) bool { return !isBatchTable(t.table) }) {
		c.failed(quote(in.dump()), "requestItems", badMapKeys)
	}
	if slices.ContainsFunc(in.RequestItems, func(t tableWrites) bool { return len(t.requests) < 1 || len(t.requests) > maxBatchWrites }) {
		c.failed(quote(in.dump()), "requestItems", badMapValues)
	}
}

// isBatchTable says whether a table can have that name in a batch's map, where the shortest is longer than elsewhere.
func isBatchTable(name string) bool {
	return len(name) >= minName && len(name) <= maxName && isName(name)
}

const badMapValues = "Map value must satisfy constraint: [Member must have length less than or equal to 25, Member must have length greater than or equal to 1]"

const badMapKeys = "Map keys must satisfy constraint: [Member must have length less than or equal to 255, Member must have length greater than or equal to 3, Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]"

func (in *BatchWriteItemInput) checkRequests() error {
	n := 0
	for _, t := range in.RequestItems {
		for i := range t.requests {
			w := &t.requests[i]
			if w.puts+w.deletes != 1 || w.puts > 0 && !w.hasItem || w.deletes > 0 && !w.hasKey {
				return validationError(item.ErrManyTypes.Error())
			}
			if err := older.refuse(w.item.Err); err != nil {
				return err
			}
			if err := older.refuse(w.key.Err); err != nil {
				return err
			}
			if err := checkItemSize(w.target()); err != nil {
				return err
			}
			n++
		}
	}
	if n > maxBatchWrites {
		return validationError("Too many items requested for the BatchWriteItem call")
	}
	return nil
}

// dump prints the request as Java does.
func (in *BatchWriteItemInput) dump() string {
	var tables []string
	for _, t := range in.RequestItems {
		var requests []string
		for i := range t.requests {
			w := &t.requests[i]
			put, del := "null", "null"
			if w.puts > 0 {
				put = "PutRequest(item=" + dumpItem(w.item.Value) + ", workloadProfileName=null)"
			}
			if w.deletes > 0 {
				del = "DeleteRequest(key=" + dumpItem(w.key.Value) + ")"
			}
			requests = append(requests, "WriteRequest(putRequest="+put+", deleteRequest="+del+")")
		}
		tables = append(tables, t.table+"=["+strings.Join(requests, ", ")+"]")
	}
	return "{" + strings.Join(tables, ", ") + "}"
}

func (in *BatchWriteItemInput) appendResourceRefs(dst []resourceRef) []resourceRef {
	for _, t := range in.RequestItems {
		for i := range t.requests {
			dst = append(dst, resourceRef{table: t.table, item: t.requests[i].target()})
		}
	}
	return dst
}

func (in *BatchWriteItemInput) traits() traits { return traits{batch: true, writes: true} }

func (in *BatchWriteItemInput) policyValues(v *policyValues, _ int, _ string) {
	v.returnConsumedCapacity = orNone(in.ReturnConsumedCapacity)
}
