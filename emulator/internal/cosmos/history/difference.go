package history

import (
	"bytes"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/pointintime"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// difference returns a page of the items that are not the same at two moments, apart from system properties.
func (r *request) difference() ([]byte, error) {
	from, to, err := r.moments.Between(r.From, r.To)
	if err != nil {
		return nil, err
	}
	start, err := pointintime.ParseKeyToken(r.Start)
	if err != nil {
		return nil, err
	}
	p, err := r.newPage()
	if err != nil || from == to {
		return p.finish("changes", ""), err
	}
	first := r.views.Take(pointintime.Source{Of: r.container, Log: r.container.History, After: from}, start, nil)
	second := r.views.Take(pointintime.Source{Of: r.container, Log: r.container.History, After: to}, start, nil)
	next := ""
	if err := r.view(from, func(reader *store.Reader) error {
		for _, v := range []*pointintime.View{first, second} {
			complete, err := v.Extend(reader, r.moments.Latest, r.work, r.Bounds)
			if !complete || err != nil || !v.Covers(start) {
				next = pointintime.KeyToken(start)
				return err
			}
		}
		left, err := first.EachDifference(second, start, func(key []byte, at changelog.Position) (bool, error) {
			if p.full() {
				return false, nil
			}
			return true, p.compare(reader, key, at, second)
		})
		if left != nil {
			next = pointintime.KeyToken(left)
		}
		return err
	}); err != nil {
		return nil, err
	}
	r.views.Put(first)
	r.views.Put(second)
	return p.finish("changes", next), nil
}

// compare adds an item, whose first change was at a position, if it is not the same at the second moment.
func (p *page) compare(reader *store.Reader, key []byte, at changelog.Position, second *pointintime.View) error {
	return pointintime.ImageBefore(reader, p.container.History, at, func(before []byte) error {
		use := func(after []byte) error {
			if err := p.work.Step(2 + (len(before)+len(after))/64); err != nil {
				return err
			}
			same, err := sameBody(before, after)
			if same || err != nil {
				return err
			}
			return p.add(func(dst []byte) ([]byte, error) { return p.appendChange(dst, before, after) })
		}
		if at, changed := second.FirstChange(key); changed {
			return pointintime.ImageBefore(reader, p.container.History, at, use)
		}
		return p.current(reader, key, use)
	})
}

// sameBody reports whether two images are of the same document, apart from system properties.
func sameBody(before, after []byte) (bool, error) {
	if before == nil || after == nil {
		return before == nil && after == nil, nil
	}
	a, err := engine.ReadImage(before)
	if err != nil {
		return false, err
	}
	b, err := engine.ReadImage(after)
	return err == nil && bytes.Equal(a.Body, b.Body), err
}

// appendChange appends the change of an item, of which one image may be nil.
func (p *page) appendChange(dst, before, after []byte) ([]byte, error) {
	either := after
	if either == nil {
		either = before
	}
	i, err := engine.ReadImage(either)
	if err != nil {
		return dst, err
	}
	v, err := doc.Parse(i.Body)
	if err != nil {
		return dst, err
	}
	key, err := p.container.Definition.Load().Key.FromDocument(v)
	if err != nil {
		return dst, err
	}
	for n := range key {
		if !key[n].Defined() { // as in headers
			key[n] = doc.Object()
		}
	}
	dst = doc.Append(append(dst, `{"key":`...), doc.Object(doc.Member{Name: "id", Value: doc.String(i.ID)},
		doc.Member{Name: "partitionKey", Value: doc.Array(key...)}))
	dst, err = p.appendImages(dst, before, after)
	return append(dst, '}'), err
}
