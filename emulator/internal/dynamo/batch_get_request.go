package dynamo

import (
	"bytes"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/jsonwrite"
)

// BatchGetItemInput reads items of several tables.
type BatchGetItemInput struct {
	RequestItems           []tableReads
	hasItems               bool
	ReturnConsumedCapacity optional[string]
}

// tableReads are the keys to read in one table.
type tableReads struct {
	expressions
	selection
	table          string
	keys           []attributes
	hasKeys        bool
	ConsistentRead optional[bool]
}

func (in *BatchGetItemInput) decode(d *decoder) error {
	return d.members(func(name []byte) error {
		switch string(name) {
		case "RequestItems":
			in.hasItems = true
			return d.mapping(structureClass("KeysAndAttributes"), func(key []byte) error {
				t := tableReads{table: string(key)}
				err := t.decode(d)
				in.RequestItems = append(in.RequestItems, t)
				return err
			})
		case "ReturnConsumedCapacity":
			return d.str(&in.ReturnConsumedCapacity)
		}
		return d.Skip()
	})
}

func (t *tableReads) decode(d *decoder) error {
	return d.element("KeysAndAttributes", func(name []byte) error {
		switch string(name) {
		case "Keys":
			t.hasKeys = true
			return d.list(func() error { return t.decodeKey(d) })
		case "ConsistentRead":
			return d.boolean(&t.ConsistentRead)
		}
		if known, err := t.selection.member(d, name); known {
			return err
		}
		if known, err := t.expressions.member(d, name); known {
			return err
		}
		return d.Skip()
	})
}

func (t *tableReads) decodeKey(d *decoder) error {
	if d.Kind() != '{' {
		return d.parameterized()
	}
	var key attributes
	err := d.attributes(&key)
	t.keys = append(t.keys, key)
	return err
}

func (in *BatchGetItemInput) check() error {
	var c constraints
	switch {
	case !in.hasItems:
		c.required(false, "requestItems")
	case len(in.RequestItems) == 0:
		c.add("Value at 'RequestItems' failed to satisfy constraint: Member must have length greater than or equal to 1")
	}
	if slices.ContainsFunc(in.RequestItems, func(t tableReads) bool { return !isBatchTable(t.table) }) {
		c.failed(quote(in.dump()), "requestItems", badMapKeys)
	}
	n := 0
	for i := range in.RequestItems {
		in.RequestItems[i].constraints(&c)
		n += len(in.RequestItems[i].keys)
	}
	c.oneOf(in.ReturnConsumedCapacity, "returnConsumedCapacity", capacityModes)
	if err := c.err(); err != nil {
		return err
	}
	if n > maxBatchReads {
		return validationError("Too many items requested for the BatchGetItem call")
	}
	for i := range in.RequestItems {
		t := &in.RequestItems[i]
		if err := t.checkSelection(reads, &t.expressions, t.wrongKey()); err != nil {
			return err
		}
	}
	return nil
}

func (t *tableReads) constraints(c *constraints) {
	t.selection.constraints(c)
	member := "'RequestItems." + t.table + ".member.Keys' failed to satisfy constraint: Member must "
	switch n := len(t.keys); {
	case !t.hasKeys:
		c.required(false, "requestItems."+t.table+".member.keys")
	case n == 0:
		c.add("Value at " + member + "have length greater than or equal to 1")
	case n > maxBatchReads:
		c.add("Value at " + member + "have length less than or equal to 100")
	}
}

// dump shows the request's keys by table, as JSON.
func (in *BatchGetItemInput) dump() string {
	dst := []byte{'{'}
	for _, t := range in.RequestItems {
		dst = append(jsonwrite.AppendString(append(dst, ','), t.table), `:{"Keys":[`...)
		start := len(dst)
		for _, k := range t.keys {
			dst = k.AppendItem(append(dst, ','))
		}
		dst = append(dst[:start], bytes.TrimPrefix(dst[start:], []byte(","))...)
		dst = append(dst, "]}"...)
	}
	return string(closeObject(dst, 1))
}

func (t *tableReads) wrongKey() error {
	for _, k := range t.keys {
		if k.Err != nil {
			return k.Err
		}
	}
	return nil
}

func (in *BatchGetItemInput) appendResourceRefs(dst []resourceRef) []resourceRef {
	for i := range in.RequestItems {
		for _, key := range in.RequestItems[i].keys {
			dst = append(dst, resourceRef{table: in.RequestItems[i].table, item: key.Value})
		}
	}
	return dst
}

func (in *BatchGetItemInput) traits() traits {
	eventual := slices.ContainsFunc(in.RequestItems, func(r tableReads) bool { return !r.ConsistentRead.V })
	return traits{batch: true, eventual: eventual}
}

func (in *BatchGetItemInput) answerBytes() (bytes int64) {
	for i := range in.RequestItems {
		bytes += int64(len(in.RequestItems[i].keys)) * itemBytes
	}
	return min(bytes, maxBatchReadBytes)
}

func (in *BatchGetItemInput) policyValues(v *policyValues, _ int, table string) {
	at := slices.IndexFunc(in.RequestItems, func(t tableReads) bool { return t.table == table })
	projection := in.RequestItems[at].projection
	v.selected, v.returnConsumedCapacity = selectedBy(projection), orNone(in.ReturnConsumedCapacity)
	v.attributes.ofProjection(projection)
}
