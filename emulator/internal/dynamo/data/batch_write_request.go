package data

import (
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// BatchWriteItemInput puts and deletes items of several tables, each independently.
type BatchWriteItemInput struct {
	RequestItems                []tableWrites
	hasItems                    bool
	ReturnConsumedCapacity      wire.Optional[string]
	ReturnItemCollectionMetrics wire.Optional[string]
}

// tableWrites are the requests for one table.
type tableWrites struct {
	table    wire.TableName
	requests []putOrDelete
}

// putOrDelete is a put or a delete.
type putOrDelete struct {
	item    wire.Attributes // of a put
	key     wire.Attributes // of a delete
	puts    int
	deletes int
	hasItem bool
	hasKey  bool
}

func (w *putOrDelete) target() item.Value {
	if w.puts > 0 {
		return w.item.Value
	}
	return w.key.Value
}

func (in *BatchWriteItemInput) Decode(d *wire.Decoder) error {
	d.Items.LegacyErrors = true
	return d.Members(func(name []byte) error {
		switch string(name) {
		case "RequestItems":
			in.hasItems = true
			return d.Mapping("java.util.List<com.amazonaws.dynamodb.v20120810.WriteRequest>", func(key []byte) error {
				t := tableWrites{table: d.TableKey(key)}
				err := t.decode(d)
				in.RequestItems = append(in.RequestItems, t)
				return err
			})
		case "ReturnConsumedCapacity":
			return d.Str(&in.ReturnConsumedCapacity)
		case "ReturnItemCollectionMetrics":
			return d.Str(&in.ReturnItemCollectionMetrics)
		}
		return d.Skip()
	})
}

func (t *tableWrites) decode(d *wire.Decoder) error {
	if d.Kind() != '[' {
		return d.NestedTypeError()
	}
	return d.List(func() error {
		var w putOrDelete
		err := d.Element("WriteRequest", func(name []byte) error {
			switch string(name) {
			case "PutRequest":
				w.puts++
				return w.decodeRequest(d, "PutRequest", "Item", &w.item, &w.hasItem)
			case "DeleteRequest":
				w.deletes++
				return w.decodeRequest(d, "DeleteRequest", "Key", &w.key, &w.hasKey)
			}
			return d.Skip()
		})
		t.requests = append(t.requests, w)
		return err
	})
}

func (w *putOrDelete) decodeRequest(d *wire.Decoder, class, member string, dst *wire.Attributes, has *bool) error {
	return d.Structure(class, func(name []byte) error {
		if string(name) != member {
			return d.Skip()
		}
		*has = true
		return d.Attributes(dst)
	})
}

// Check reports the names of tables only if nothing else is wrong with single members. A message shows the map of
// tables once for all its keys and once for all its values. (nubo-db/dynoxide, us-east-1 and eu-west-2, 2026-10-09.)
func (in *BatchWriteItemInput) Check() error {
	if in.hasItems && len(in.RequestItems) == 0 {
		return wire.ValidationError("The requestItems parameter is required for BatchWriteItem")
	}
	var c wire.Constraints
	c.Required(in.hasItems, "requestItems")
	if slices.ContainsFunc(in.RequestItems, func(t tableWrites) bool {
		return len(t.requests) < 1 || len(t.requests) > maxBatchWrites
	}) {
		c.Add("requestItems", in.dump(), mapValuesConstraint)
	}
	c.Enum("returnConsumedCapacity", in.ReturnConsumedCapacity, wire.CapacityModes)
	c.Enum("returnItemCollectionMetrics", in.ReturnItemCollectionMetrics, wire.MetricsModes)
	if err := c.Err(); err != nil {
		return err
	}
	if slices.ContainsFunc(in.RequestItems, func(t tableWrites) bool { return !isValidTableName(t.table.V) }) {
		c.Add("requestItems", in.dump(), mapKeysConstraint)
		return c.Err()
	}
	return in.checkRequests()
}

// isValidTableName reports whether a table name is allowed in the map of a batch, where the minimum length is greater
// than elsewhere.
func isValidTableName(name string) bool {
	return len(name) >= minNameLength && len(name) <= shape.MaxNameLength && shape.IsName(name)
}

const mapValuesConstraint = "Map value must satisfy constraint: [Member must have length less than or equal to 25, Member must have length greater than or equal to 1]"

const mapKeysConstraint = "Map keys must satisfy constraint: [Member must have length less than or equal to 255, Member must have length greater than or equal to 3, Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]"

func (in *BatchWriteItemInput) checkRequests() error {
	n := 0
	for _, t := range in.RequestItems {
		for i := range t.requests {
			w := &t.requests[i]
			if w.puts+w.deletes != 1 || w.puts > 0 && !w.hasItem || w.deletes > 0 && !w.hasKey {
				return wire.ValidationError(item.ErrManyTypes.Error())
			}
			if err := wire.LegacyErrors.Convert(w.item.Err); err != nil {
				return err
			}
			if err := wire.LegacyErrors.Convert(w.key.Err); err != nil {
				return err
			}
			if err := engine.CheckItemSize(w.target()); err != nil {
				return err
			}
			n++
		}
	}
	if n > maxBatchWrites {
		return wire.ValidationError("Too many items requested for the BatchWriteItem call")
	}
	return nil
}

// dump returns the request as Java prints it.
func (in *BatchWriteItemInput) dump() string {
	var tables []string
	for _, t := range in.RequestItems {
		var requests []string
		for i := range t.requests {
			w := &t.requests[i]
			put, del := "null", "null"
			if w.puts > 0 {
				put = "PutRequest(item=" + wire.DumpItem(w.item.Value) + ", workloadProfileName=null)"
			}
			if w.deletes > 0 {
				del = "DeleteRequest(key=" + wire.DumpItem(w.key.Value) + ", workloadProfileName=null)"
			}
			requests = append(requests, "WriteRequest(putRequest="+put+", deleteRequest="+del+")")
		}
		tables = append(tables, t.table.Sent+"=["+strings.Join(requests, ", ")+"]")
	}
	return "{" + strings.Join(tables, ", ") + "}"
}

func (in *BatchWriteItemInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	for _, t := range in.RequestItems {
		for i := range t.requests {
			dst = append(dst, engine.ResourceRef{Table: t.table.V, Item: t.requests[i].target()})
		}
	}
	return dst
}

func (in *BatchWriteItemInput) Traits() engine.Traits {
	return engine.Traits{Batch: true, Writes: true}
}

func (in *BatchWriteItemInput) PolicyValues(v *engine.PolicyValues, _ int, _ string) {
	v.ReturnConsumedCapacity = engine.OrNone(in.ReturnConsumedCapacity)
}
