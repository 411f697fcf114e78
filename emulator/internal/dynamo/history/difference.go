package history

import (
	"bytes"
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/pointintime"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// DifferenceInput compares two moments of a table.
type DifferenceInput struct {
	pageInput
	rangeInput
}

func (in *DifferenceInput) Decode(d *wire.Decoder) error {
	return d.Members(func(name []byte) error {
		if known, err := in.rangeInput.decodeMember(d, name); known {
			return err
		}
		if known, err := in.pageInput.decodeMember(d, name); known {
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
	t, moments, err := findTable(req, in.TableName.V)
	if err != nil {
		return nil, err
	}
	start, err := pointintime.ParseKeyToken(in.Start.V)
	if err != nil {
		return nil, convert(err)
	}
	from, to, err := moments.Between(in.From.V, in.To.V)
	if err != nil {
		return nil, convert(err)
	}
	out := &DifferenceOutput{page: page{req: req, limit: in.limit()}, table: t}
	if from == to {
		return out, nil
	}
	x := extensionOf(req)
	first := x.views.Take(pointintime.Source{Of: source{table: t}, Log: t.Log, After: from}, start, nil)
	second := x.views.Take(pointintime.Source{Of: source{table: t}, Log: t.Log, After: to}, start, nil)
	err = view(req, t, from, func(r *store.Reader) error {
		for _, v := range []*pointintime.View{first, second} {
			complete, err := v.Extend(r, moments.Latest, &req.Work, x.Bounds)
			if !complete || err != nil || !v.Covers(start) {
				out.next = pointintime.KeyToken(start)
				return err
			}
		}
		return out.fill(r, first, second, start)
	})
	if err == nil {
		x.views.Put(first)
		x.views.Put(second)
	}
	return out, err
}

// fill compares the items that changed after the first moment, until the page is full or nothing is left.
func (o *DifferenceOutput) fill(r *store.Reader, first, second *pointintime.View, start []byte) error {
	next, err := first.EachDifference(second, start, func(key []byte, at changelog.Position) (bool, error) {
		if o.full() {
			return false, nil
		}
		return true, o.compare(r, key, at, second)
	})
	if next != nil {
		o.next = pointintime.KeyToken(next)
	}
	return err
}

// compare adds an item, whose first change was at a position, if it is not the same at the second moment.
func (o *DifferenceOutput) compare(r *store.Reader, key []byte, at changelog.Position,
	second *pointintime.View) error {
	return pointintime.ImageBefore(r, o.table.Log, at, func(before []byte) error {
		return imageAt(r, o.table, key, second, func(after []byte) error {
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

// imageAt calls use with an item as it was at the moment of a view, which covers its key; nil if there was none.
func imageAt(r *store.Reader, t *engine.Table, key []byte, v *pointintime.View, use func(image []byte) error) error {
	if at, changed := v.FirstChange(key); changed {
		return pointintime.ImageBefore(r, t.Log, at, use)
	}
	return current(r, t, key, use)
}

// current calls use with the item under a key, which is without the table's prefix; nil if there is none. It keeps
// nothing until the end of the Reader, unlike Get.
func current(r *store.Reader, t *engine.Table, key []byte, use func(image []byte) error) error {
	full := append(engine.AppendTablePrefix(nil, t.Def.ID), key...)
	it := r.Iter(full, append(bytes.Clone(full), 0), false)
	var image []byte
	if it.Next() {
		image = it.Value()
	}
	return errors.Join(use(image), it.Close())
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
