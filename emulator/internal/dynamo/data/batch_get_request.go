package data

import (
	"bytes"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonwrite"
)

// BatchGetItemInput reads items of several tables.
type BatchGetItemInput struct {
	RequestItems           []tableReads
	hasItems               bool
	ReturnConsumedCapacity wire.Optional[string]
}

// tableReads are the keys to read in one table.
type tableReads struct {
	expressions
	selection
	table          wire.TableName
	keys           []wire.Attributes
	hasKeys        bool
	ConsistentRead wire.Optional[bool]
}

func (in *BatchGetItemInput) Decode(d *wire.Decoder) error {
	return d.Members(func(name []byte) error {
		switch string(name) {
		case "RequestItems":
			in.hasItems = true
			return d.Mapping(wire.StructureClass("KeysAndAttributes"), func(key []byte) error {
				t := tableReads{table: d.TableKey(key)}
				err := t.decode(d)
				in.RequestItems = append(in.RequestItems, t)
				return err
			})
		case "ReturnConsumedCapacity":
			return d.Str(&in.ReturnConsumedCapacity)
		}
		return d.Skip()
	})
}

func (t *tableReads) decode(d *wire.Decoder) error {
	return d.Element("KeysAndAttributes", func(name []byte) error {
		switch string(name) {
		case "Keys":
			t.hasKeys = true
			return d.List(func() error { return t.decodeKey(d) })
		case "ConsistentRead":
			return d.Boolean(&t.ConsistentRead)
		}
		if known, err := t.selection.decodeMember(d, name); known {
			return err
		}
		if known, err := t.expressions.decodeNamesOnly(d, name); known {
			return err
		}
		return d.Skip()
	})
}

func (t *tableReads) decodeKey(d *wire.Decoder) error {
	if d.Kind() != '{' {
		return d.NestedTypeError()
	}
	var key wire.Attributes
	err := d.Attributes(&key)
	t.keys = append(t.keys, key)
	return err
}

func (in *BatchGetItemInput) Check() error {
	var c wire.Constraints
	switch {
	case !in.hasItems:
		c.Required(false, "requestItems")
	case len(in.RequestItems) == 0:
		c.AddWithheld("RequestItems", "Member must have length greater than or equal to 1")
	}
	if slices.ContainsFunc(in.RequestItems, func(t tableReads) bool { return !isValidTableName(t.table.V) }) {
		c.Add("requestItems", in.dump(), mapKeysConstraint)
	}
	n := 0
	for i := range in.RequestItems {
		in.RequestItems[i].constraints(&c)
		n += len(in.RequestItems[i].keys)
	}
	c.Enum("returnConsumedCapacity", in.ReturnConsumedCapacity, wire.CapacityModes)
	if err := c.Err(); err != nil {
		return err
	}
	if n > maxBatchReads {
		return wire.ValidationError("Too many items requested for the BatchGetItem call")
	}
	for i := range in.RequestItems {
		t := &in.RequestItems[i]
		if err := t.checkSelection(wire.ReadErrors, &t.expressions, t.keyError()); err != nil {
			return err
		}
		if t.repeatsKey() {
			return wire.ValidationError("Provided list of item keys contains duplicates")
		}
	}
	return nil
}

// repeatsKey reports whether a key is requested twice. The service reports it before it looks for the table (dynalite).
func (t *tableReads) repeatsKey() bool {
	keys := make([][]byte, len(t.keys))
	for i, k := range t.keys {
		keys[i] = k.Value
	}
	return hasDuplicates(keys)
}

func (t *tableReads) constraints(c *wire.Constraints) {
	t.selection.constraints(c)
	member := "RequestItems." + t.table.V + ".member.Keys"
	switch n := len(t.keys); {
	case !t.hasKeys:
		c.Required(false, "requestItems."+t.table.V+".member.keys")
	case n == 0:
		c.AddWithheld(member, "Member must have length greater than or equal to 1")
	case n > maxBatchReads:
		c.AddWithheld(member, "Member must have length less than or equal to 100")
	}
}

// dump shows the request's keys by table, as JSON.
func (in *BatchGetItemInput) dump() string {
	dst := []byte{'{'}
	for _, t := range in.RequestItems {
		dst = append(jsonwrite.AppendString(append(dst, ','), t.table.Sent), `:{"Keys":[`...)
		start := len(dst)
		for _, k := range t.keys {
			dst = k.AppendItem(append(dst, ','))
		}
		dst = append(dst[:start], bytes.TrimPrefix(dst[start:], []byte(","))...)
		dst = append(dst, "]}"...)
	}
	return string(wire.CloseObject(dst, 1))
}

func (t *tableReads) keyError() error {
	for _, k := range t.keys {
		if k.Err != nil {
			return k.Err
		}
	}
	return nil
}

func (in *BatchGetItemInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	for i := range in.RequestItems {
		for _, key := range in.RequestItems[i].keys {
			dst = append(dst, engine.ResourceRef{Table: in.RequestItems[i].table.V, Item: key.Value})
		}
	}
	return dst
}

func (in *BatchGetItemInput) Traits() engine.Traits {
	eventual := slices.ContainsFunc(in.RequestItems, func(r tableReads) bool { return !r.ConsistentRead.V })
	return engine.Traits{Batch: true, EventuallyConsistent: eventual}
}

func (in *BatchGetItemInput) ResponseBytes() (bytes int64) {
	for i := range in.RequestItems {
		bytes += int64(len(in.RequestItems[i].keys)) * engine.ItemBytes
	}
	return min(bytes, maxBatchReadBytes)
}

// PolicyValues adds the values of all entries of the table: two can name it, by its name and by its ARN. Select is
// ALL_ATTRIBUTES if any of them reads whole items.
func (in *BatchGetItemInput) PolicyValues(v *engine.PolicyValues, _ int, table string) {
	v.ReturnConsumedCapacity = engine.OrNone(in.ReturnConsumedCapacity)
	for i := range in.RequestItems {
		projection := in.RequestItems[i].projection
		if in.RequestItems[i].table.V != table {
			continue
		}
		if v.Select == "" || projection == nil {
			v.Select = engine.DefaultSelect(projection)
		}
		v.Attributes.AddProjection(projection)
	}
}
