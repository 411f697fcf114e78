package history

import (
	"bytes"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonwrite"
	"github.com/tabletop-db/tabletop/emulator/internal/pointintime"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// ItemsInput reads a page of a table or an index as it was at a moment.
type ItemsInput struct {
	pageInput
	TableName    wire.TableName
	IndexName    wire.Optional[string]
	At           wire.Optional[string] // not set: the latest moment
	PartitionKey wire.Attributes       // a value; nil: all
}

func (in *ItemsInput) Decode(d *wire.Decoder) error {
	return d.Members(func(name []byte) error {
		switch string(name) {
		case "TableName":
			return d.TableName(&in.TableName)
		case "IndexName":
			return d.Str(&in.IndexName)
		case "At":
			return d.Str(&in.At)
		case "PartitionKey":
			return d.Attribute(&in.PartitionKey)
		}
		if known, err := in.decodeMember(d, name); known {
			return err
		}
		return d.Skip()
	})
}

func (in *ItemsInput) Check() error {
	if err := wire.ReadErrors.Convert(in.PartitionKey.Err); err != nil {
		return err
	}
	return in.check()
}

func (in *ItemsInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Action: "Scan", Table: in.TableName.V, Index: in.IndexName.V})
}

// PolicyValues adds the values that a Scan of all attributes has.
func (in *ItemsInput) PolicyValues(v *engine.PolicyValues, member int, table string) {
	in.pageInput.PolicyValues(v, member, table)
	if in.IndexName.Set {
		v.Select = "ALL_PROJECTED_ATTRIBUTES"
	}
}

// ItemsOutput is a page of items.
type ItemsOutput struct {
	page
	at   changelog.Position
	next string
}

func (o *ItemsOutput) AppendJSON(dst []byte) []byte {
	dst = jsonwrite.AppendString(append(dst, `{"at":`...), pointintime.TimeText(o.at))
	dst = appendNext(o.appendList(dst, "items"), o.next)
	return append(wire.AppendCount(append(dst, `,"count":`...), o.count), '}')
}

// Items reads a page of a table or an index as it was at a moment, in the order of a Scan.
func Items(req *engine.Request, in *ItemsInput) (*ItemsOutput, error) {
	t, moments, err := findTable(req, in.TableName.V)
	if err != nil {
		return nil, err
	}
	s, err := in.source(t)
	if err != nil {
		return nil, err
	}
	lo, hi, err := in.keyRange(s)
	if err != nil {
		return nil, err
	}
	at, err := moments.At("at", in.At.V)
	if err != nil {
		return nil, convert(err)
	}
	out := &ItemsOutput{page: page{req: req, limit: in.limit()}, at: at}
	x := extensionOf(req)
	v := x.views.Take(pointintime.Source{Of: s, Log: t.Log, After: at}, lo, s.pointInTimeIndex())
	err = view(req, t, at, func(r *store.Reader) error {
		complete, err := v.Extend(r, moments.Latest, &req.Work, x.Bounds)
		if err != nil {
			return err
		}
		if !complete || !v.Covers(lo) {
			out.next = pointintime.KeyToken(lo)
			return nil
		}
		return out.fill(r, v, s, lo, hi)
	})
	if err == nil {
		x.views.Put(v)
	}
	return out, err
}

// source is the table or index that a request reads.
type source struct {
	table *engine.Table
	index *engine.Index // nil: the table
}

func (in *ItemsInput) source(t *engine.Table) (source, error) {
	if !in.IndexName.Set {
		return source{table: t}, nil
	}
	x, ok := t.Index(in.IndexName.V)
	if !ok {
		return source{}, wire.ValidationError("The table does not have the specified index: " + in.IndexName.V)
	}
	if x.Backfilling {
		return source{}, wire.ValidationError("Cannot read from backfilling global secondary index: " + x.Name)
	}
	return source{t, x}, nil
}

// id returns the id of the table or index in the keys of the store.
func (s source) id() uint32 {
	if s.index != nil {
		return s.index.ID
	}
	return s.table.Def.ID
}

// pointInTimeIndex returns the index, nil for a table.
func (s source) pointInTimeIndex() *pointintime.Index {
	if s.index == nil {
		return nil
	}
	return &pointintime.Index{Rows: s.rows(), EntryKey: func(image []byte) []byte {
		key := s.index.EntryKey(s.table, image)
		return key[min(engine.KeyPrefixLength, len(key)):]
	}}
}

// rows returns the current rows of the table or index.
func (s source) rows() pointintime.Rows {
	rows := pointintime.Rows{Prefix: engine.AppendTablePrefix(nil, s.id())}
	if s.index != nil {
		rows.ItemKey = func(entry []byte) []byte { return s.table.Key(entry)[engine.KeyPrefixLength:] }
	}
	return rows
}

// keyRange returns the range of keys of the page, without their prefix; an empty hi is no bound.
func (in *ItemsInput) keyRange(s source) (lo, hi []byte, err error) {
	start, err := pointintime.ParseKeyToken(in.Start.V)
	if err != nil || in.PartitionKey.Value == nil {
		return start, nil, convert(err)
	}
	keys := &s.table.Keys
	if s.index != nil {
		keys = &s.index.Keys
	}
	if len(keys.Hash) > 1 || in.PartitionKey.Type() != keys.Partition().Type {
		return nil, nil, wire.ValidationError("pk must be a value of the partition key attribute " + keys.Partition().Name +
			", whose type is " + keys.Partition().Type.String() + ", and the only one of its key")
	}
	prefix := engine.AppendPartitionPrefix(nil, s.id(), in.PartitionKey.Value)
	if lo = prefix[engine.KeyPrefixLength:]; bytes.Compare(start, lo) > 0 {
		lo = start
	}
	if end := store.PrefixEnd(prefix); len(end) > engine.KeyPrefixLength {
		hi = end[engine.KeyPrefixLength:]
	}
	return lo, hi, nil
}

// fill reads items until the page is full or nothing is left.
func (o *ItemsOutput) fill(r *store.Reader, v *pointintime.View, s source, lo, hi []byte) error {
	next, err := v.Each(r, &o.req.Work, s.rows(), lo, hi, func(e pointintime.Entry) (bool, error) {
		if e.Exists() && o.full() || o.spent() {
			return false, nil
		}
		it := item.Value(e.Row)
		if e.Earlier != nil {
			if it = e.Earlier; s.index != nil {
				_, it = s.index.Entry(s.table, it)
			}
		}
		if it == nil {
			return true, nil
		}
		return true, o.add(it.AppendItem)
	})
	if next != nil {
		o.next = pointintime.KeyToken(next)
	}
	return err
}
