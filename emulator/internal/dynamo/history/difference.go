package history

import (
	"bytes"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// DifferenceInput compares two moments of a table.
type DifferenceInput struct {
	pageInput
	TableName wire.TableName
	From, To  wire.Optional[string] // not set: the earliest and the latest moment
}

func (in *DifferenceInput) Decode(d *wire.Decoder) error {
	return d.Members(func(name []byte) error {
		switch string(name) {
		case "TableName":
			return d.TableName(&in.TableName)
		case "From":
			return d.Str(&in.From)
		case "To":
			return d.Str(&in.To)
		}
		if known, err := in.decodeMember(d, name); known {
			return err
		}
		return d.Skip()
	})
}

func (in *DifferenceInput) Check() error { return in.check() }

func (in *DifferenceInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Action: "Scan", Table: in.TableName.V})
}

// DifferenceOutput is a page of the items that differ.
type DifferenceOutput struct {
	page
	table *engine.Table
	next  string
}

func (o *DifferenceOutput) AppendJSON(dst []byte) []byte {
	from := len(dst)
	dst = o.appendList(dst, "changes")
	dst[from] = '{' // in place of the comma
	return append(appendNext(dst, o.next), '}')
}

// Difference reads a page of the items that are not the same at two moments, in the order of their keys.
func Difference(req *engine.Request, in *DifferenceInput) (*DifferenceOutput, error) {
	t, err := findTable(req, in.TableName.V)
	if err != nil {
		return nil, err
	}
	start, err := in.startKey()
	if err != nil {
		return nil, err
	}
	moments := spanOf(req, t)
	from, to, err := moments.between(in.From, in.To)
	if err != nil {
		return nil, err
	}
	out := &DifferenceOutput{page: page{req: req, limit: in.limit()}, table: t}
	if from == to {
		return out, nil
	}
	overlays := &extensionOf(req).overlays
	first := overlays.take(overlayKey{table: t, after: from}, string(start))
	second := overlays.take(overlayKey{table: t, after: to}, string(start))
	err = req.Engine.Store.View(func(r *store.Reader) error {
		if err := checkStored(req, t, from); err != nil {
			return err
		}
		for _, o := range []*overlay{first, second} {
			complete, err := o.extend(req, r, moments.latest)
			if !complete || err != nil || !o.covers(string(start)) {
				out.next = keyToken(start)
				return err
			}
		}
		return out.fill(r, first, second, start)
	})
	if err == nil {
		overlays.put(first)
		overlays.put(second)
	}
	return out, err
}

// fill compares the items that changed after the first moment, until the page is full or nothing is left.
func (o *DifferenceOutput) fill(r *store.Reader, first, second *overlay, start []byte) error {
	for _, e := range first.earlier[first.from(string(start)):] {
		switch {
		case !second.covers(e.key), o.full():
			o.next = keyToken([]byte(e.key))
			return nil
		case e.at > second.after: // it changed after the second moment only
			continue
		}
		if err := o.compare(r, e, second); err != nil {
			return err
		}
	}
	if hi := first.hi; hi != "" {
		o.next = keyToken([]byte(hi))
	}
	return nil
}

// compare adds an item if it is not the same at the second moment.
func (o *DifferenceOutput) compare(r *store.Reader, e earlier, second *overlay) error {
	return imageBefore(r, o.table, e.at, func(before item.Value) error {
		return second.image(r, e.key, func(after item.Value) error {
			if err := o.req.Work.Step(2 + (len(before)+len(after))/engine.ItemBytesPerStep); err != nil {
				return err
			}
			if bytes.Equal(before, after) || before != nil && after != nil && item.Equal(before, after) {
				return nil
			}
			return o.add(func(dst []byte) []byte { return o.appendChange(dst, before, after) })
		})
	})
}

// image calls use with an item as it was at the overlay's moment; nil if there was none. The overlay must cover its
// key.
func (o *overlay) image(r *store.Reader, key string, use func(image item.Value) error) error {
	if at, changed := o.first[key]; changed {
		return imageBefore(r, o.table, at, use)
	}
	return current(r, o.table, []byte(key), use)
}

func (o *DifferenceOutput) appendChange(dst []byte, before, after item.Value) []byte {
	either := after
	if either == nil {
		either = before
	}
	dst = o.table.Keys.Extract(either).AppendItem(append(dst, `{"key":`...))
	return append(appendImages(dst, before, after), '}')
}

// appendImages appends the images before and after a change as members; nil is null.
func appendImages(dst []byte, before, after item.Value) []byte {
	dst = appendImage(append(dst, `,"before":`...), before)
	return appendImage(append(dst, `,"after":`...), after)
}

func appendImage(dst []byte, image item.Value) []byte {
	if image == nil {
		return append(dst, "null"...)
	}
	return image.AppendItem(dst)
}
