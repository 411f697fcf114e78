package dynamo

import (
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// The limits of BatchWriteItem.
const (
	maxBatchWrites     = 25
	maxBatchWriteBytes = 16 << 20
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
				return validationError("Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes")
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

// batchWriteOutput is what the batch cost. Nothing is left unprocessed: the emulator has room.
type batchWriteOutput struct {
	capacity    perTable
	mode        string
	collections map[string][]*collectionMetrics
}

func batchWriteItem(a *account, in *BatchWriteItemInput) (*batchWriteOutput, error) {
	changes, err := in.changes(a)
	if err != nil {
		return nil, err
	}
	if err := a.applyAll(changes, nil); err != nil {
		return nil, err
	}
	out := &batchWriteOutput{mode: in.ReturnConsumedCapacity.V}
	if charged(out.mode) {
		for _, c := range changes {
			out.capacity.of(c.table.def.Name, "").addWrite(c.units, 1)
		}
	}
	if in.ReturnItemCollectionMetrics.V == "SIZE" {
		out.collections, err = in.collections(a)
	}
	return out, err
}

func (in *BatchWriteItemInput) changes(a *account) ([]*change, error) {
	changes := make([]*change, 0, maxBatchWrites)
	for _, writes := range in.RequestItems {
		t, err := a.table(writes.table)
		if err != nil {
			return nil, err
		}
		for i := range writes.requests {
			w := &writes.requests[i]
			if err := w.checkKey(t); err != nil {
				return nil, err
			}
			c := &change{table: t, key: t.key(w.target()), next: replaceWith(w.item.Value)}
			if charged(in.ReturnConsumedCapacity.V) {
				c.units = new(writeUnits)
			}
			changes = append(changes, c)
		}
	}
	keys := make([][]byte, len(changes))
	for i, c := range changes {
		keys[i] = c.key
	}
	if hasEqual(keys) {
		return nil, validationError("Provided list of item keys contains duplicates")
	}
	return changes, nil
}

// checkKey refuses what the table cannot hold; unlike PutItem, with the message for keys.
func (w *writeOne) checkKey(t *table) error {
	if w.deletes > 0 {
		return t.keys.checkKey(w.key.Value)
	}
	if !t.keys.in(w.item.Value) {
		return errKeySchema()
	}
	return t.checkItem(w.item.Value)
}

func (in *BatchWriteItemInput) collections(a *account) (map[string][]*collectionMetrics, error) {
	all := map[string][]*collectionMetrics{}
	for _, writes := range in.RequestItems {
		t, err := a.table(writes.table)
		if err != nil || !t.hasLocal() {
			continue
		}
		for i := range writes.requests {
			m, err := a.collectionMetrics(t, writes.requests[i].target())
			if err != nil {
				return nil, err
			}
			all[t.def.Name] = append(all[t.def.Name], m)
		}
	}
	return all, nil
}

func (o *batchWriteOutput) appendJSON(dst []byte) []byte {
	dst = append(dst, `{"UnprocessedItems":{}`...)
	if o.capacity != nil {
		dst = appendCapacities(dst, o.capacity, o.mode)
	}
	if len(o.collections) > 0 {
		dst = appendCollections(dst, o.collections)
	}
	return append(dst, '}')
}
