package history

import (
	"bytes"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonwrite"
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

// ItemsOutput is a page of items.
type ItemsOutput struct {
	page
	at   changelog.Position
	next string
}

func (o *ItemsOutput) AppendJSON(dst []byte) []byte {
	dst = jsonwrite.AppendString(append(dst, `{"at":`...), timeText(o.at))
	dst = appendNext(o.appendList(dst, "items"), o.next)
	return append(wire.AppendCount(append(dst, `,"count":`...), o.count), '}')
}

// Items reads a page of a table or an index as it was at a moment, in the order of a Scan.
func Items(req *engine.Request, in *ItemsInput) (*ItemsOutput, error) {
	t, err := findTable(req, in.TableName.V)
	if err != nil {
		return nil, err
	}
	source, err := in.source(t)
	if err != nil {
		return nil, err
	}
	lo, hi, err := in.keyRange(source)
	if err != nil {
		return nil, err
	}
	moments := spanOf(req, t)
	if source.after, err = moments.moment("at", in.At.V); err != nil {
		return nil, err
	}
	out := &ItemsOutput{page: page{req: req, limit: in.limit()}, at: source.after}
	overlays := &extensionOf(req).overlays
	view := overlays.take(source, string(lo))
	err = req.Engine.Store.View(func(r *store.Reader) error {
		if err := checkStored(req, t, view.after); err != nil {
			return err
		}
		complete, err := view.extend(req, r, moments.latest)
		if err != nil {
			return err
		}
		if !complete || !view.covers(string(lo)) {
			out.next = keyToken(lo)
			return nil
		}
		return out.fill(r, view, lo, hi)
	})
	if err == nil {
		overlays.put(view)
	}
	return out, err
}

// source returns what the request reads, without the moment.
func (in *ItemsInput) source(t *engine.Table) (overlayKey, error) {
	if !in.IndexName.Set {
		return overlayKey{table: t}, nil
	}
	x, ok := t.Index(in.IndexName.V)
	if !ok {
		return overlayKey{}, wire.ValidationError("The table does not have the specified index: " + in.IndexName.V)
	}
	if x.Backfilling {
		return overlayKey{}, wire.ValidationError("Cannot read from backfilling global secondary index: " + x.Name)
	}
	return overlayKey{table: t, index: x}, nil
}

// id returns the id of the table or index in the keys of the store.
func (k *overlayKey) id() uint32 {
	if k.index != nil {
		return k.index.ID
	}
	return k.table.Def.ID
}

// keyRange returns the range of keys of the page, without their prefix; an empty hi is no bound.
func (in *ItemsInput) keyRange(source overlayKey) (lo, hi []byte, err error) {
	start, err := in.startKey()
	if err != nil || in.PartitionKey.Value == nil {
		return start, nil, err
	}
	keys := &source.table.Keys
	if source.index != nil {
		keys = &source.index.Keys
	}
	if len(keys.Hash) > 1 || in.PartitionKey.Type() != keys.Partition().Type {
		return nil, nil, wire.ValidationError("pk must be a value of the partition key attribute " + keys.Partition().Name +
			", whose type is " + keys.Partition().Type.String() + ", and the only one of its key")
	}
	prefix := engine.AppendPartitionPrefix(nil, source.id(), in.PartitionKey.Value)
	if lo = prefix[engine.KeyPrefixLength:]; bytes.Compare(start, lo) > 0 {
		lo = start
	}
	if end := store.PrefixEnd(prefix); len(end) > engine.KeyPrefixLength {
		hi = end[engine.KeyPrefixLength:]
	}
	return lo, hi, nil
}

// fill reads items until the page is full or nothing is left.
func (o *ItemsOutput) fill(r *store.Reader, view *overlay, lo, hi []byte) error {
	next := lo // the first key that is not on the page
	more := false
	err := view.each(r, o.req, lo, hi, func(key []byte, it item.Value) (bool, error) {
		if more = it != nil && o.full() || spent(o.req); more {
			next = bytes.Clone(key)
			return false, nil
		}
		if it == nil {
			return true, nil
		}
		return true, o.add(it.AppendItem)
	})
	if !more && view.endsBefore(hi) { // the next page needs another overlay
		next, more = []byte(view.hi), true
	}
	if more {
		o.next = keyToken(next)
	}
	return err
}
