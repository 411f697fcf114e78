package history

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/pointintime"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// span returns the moments that can be read, and counts the changes between two of them.
func (r *request) span() (out []byte, err error) {
	from, to, err := r.moments.Between(r.From, r.To)
	if err != nil {
		return nil, err
	}
	err = r.view(from, func(reader *store.Reader) error {
		counts, err := r.moments.Count(reader, r.container.History, from, to, r.work, r.Bounds)
		if err == nil {
			out, err = json.Marshal(counts)
		}
		return err
	})
	return out, err
}

// items returns a page of the container as it was at a moment, in the order of partition keys and ids.
func (r *request) items() ([]byte, error) {
	at, err := r.moments.At("at", r.At)
	if err != nil {
		return nil, err
	}
	lo, hi, err := r.keyRange()
	if err != nil {
		return nil, err
	}
	p, err := r.newPage()
	if err != nil {
		return nil, err
	}
	next, err := p.visitItems(at, lo, hi, func(i *engine.Item) error {
		return p.add(func(dst []byte) ([]byte, error) { return r.container.AppendJSON(dst, i), nil })
	})
	if err != nil {
		return nil, err
	}
	more := doc.AppendString([]byte(`,"at":`), pointintime.TimeText(at))
	return p.finish("items", next, strconv.AppendInt(append(more, `,"count":`...), int64(p.count), 10)...), nil
}

// keyRange returns the range of keys of the page; an empty hi is no bound.
func (r *request) keyRange() (lo, hi []byte, err error) {
	start, err := pointintime.ParseKeyToken(r.Start)
	if err != nil || r.PartitionKey == nil {
		return start, nil, err
	}
	key, err := r.partitionKey(r.PartitionKey)
	if err != nil {
		return nil, nil, err
	}
	prefix := engine.HistoryKey(r.container.IdentityPrefix(r.container.Definition.Load().Key.EPK(key), key))
	if lo = prefix; bytes.Compare(start, lo) > 0 {
		lo = start
	}
	return lo, store.PrefixEnd(prefix), nil
}

// visitItems visits items as they were at a moment until the page is full, and returns the token of the next page.
func (p *page) visitItems(at changelog.Position, lo, hi []byte, visit func(*engine.Item) error) (next string,
	err error) {
	v := p.views.Take(pointintime.Source{Of: p.container, Log: p.container.History, After: at}, lo, nil)
	err = p.view(at, func(reader *store.Reader) error {
		complete, err := v.Extend(reader, p.moments.Latest, p.work, p.Bounds)
		if err != nil {
			return err
		}
		if !complete || !v.Covers(lo) {
			next = pointintime.KeyToken(lo)
			return nil
		}
		left, err := v.Each(reader, p.work, pointintime.Rows{Prefix: p.container.IdentitiesPrefix()}, lo, hi,
			func(e pointintime.Entry) (bool, error) {
				if e.Exists() && p.full() || p.spent() {
					return false, nil
				}
				return true, p.visitItem(reader, e, visit)
			})
		if left != nil {
			next = pointintime.KeyToken(left)
		}
		return err
	})
	if err == nil {
		p.views.Put(v)
	}
	return next, err
}

// visitItem visits the item of an entry, if there is one.
func (p *page) visitItem(reader *store.Reader, e pointintime.Entry, visit func(*engine.Item) error) error {
	if e.Earlier != nil {
		i, err := engine.ReadImage(e.Earlier)
		if err != nil {
			return err
		}
		return visit(i)
	}
	return p.readRow(reader, e.Row, visit)
}

// readRow visits the item of a row of the identities; an item that was deleted has none.
func (r *request) readRow(reader *store.Reader, row []byte, visit func(*engine.Item) error) error {
	if len(row) != 8 {
		return nil
	}
	rid := binary.BigEndian.Uint64(row)
	return lookUp(reader, r.container.ItemKey(rid), func(value []byte) error {
		i, err := engine.ReadItem(rid, value)
		if err != nil {
			return err
		}
		return visit(i)
	})
}
