package cosmos

import (
	"encoding/binary"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// How many items a partition has, and how large they are, is counted in memory and written when the service is closed. After
// anything else it is counted anew.

// saveCounters writes the container's sequence and counts.
func (c *container) saveCounters() error {
	var counts []doc.Value
	for _, p := range c.partitions() {
		counts = append(counts, doc.Array(doc.Number(float64(p.items.Load())), doc.Number(float64(p.bytes.Load()))))
	}
	return c.sequence.close(doc.Append(nil, doc.Array(counts...)))
}

// countItems finds what is in each partition of a container that was stored.
func (c *container) countItems() error {
	parts := c.partitions()
	var saved doc.Value
	err := c.state.store.Get(c.sequence.key, func(value []byte, ok bool) (err error) {
		if ok && len(value) > 8 {
			saved, err = doc.Parse(value[8:])
		}
		return err
	})
	if err != nil {
		return err
	}
	if saved.Len() == len(parts) {
		for i, p := range parts {
			p.items.Store(int64(saved.At(i).At(0).Float()))
			p.bytes.Store(int64(saved.At(i).At(1).Float()))
		}
		return nil
	}
	return c.state.store.View(func(r *store.Reader) error { return c.countIn(r, parts) })
}

// countNew counts what is in those of the partitions that the container does not have yet, in a transaction that runs alone.
func (c *container) countNew(tx *store.Tx, parts []*partition) error {
	was := c.partitions()
	return c.countIn(&tx.Reader, slices.DeleteFunc(slices.Clone(parts), func(p *partition) bool { return slices.Contains(was, p) }))
}

// countIn counts what is in some partitions, of which nothing is counted yet.
func (c *container) countIn(r *store.Reader, parts []*partition) error {
	prefix := c.key(letterItem, 0)
	it := r.Iter(prefix, store.PrefixEnd(prefix), false)
	defer it.Close()
	for it.Next() {
		i, err := readItem(binary.BigEndian.Uint64(it.Key()[len(prefix):]), it.Value())
		if err != nil {
			return err
		}
		if at := slices.IndexFunc(parts, func(p *partition) bool { return p.Holds(i.epk) }); at >= 0 {
			parts[at].items.Add(1)
			parts[at].bytes.Add(int64(i.size()))
		}
	}
	return it.Close()
}

// count notes what a transaction changed, once it is committed and before a split can come between.
func (t *transaction) count() {
	if t.lsn == 0 {
		return
	}
	p := t.container.partitionOf(t.epk)
	for _, one := range t.changes {
		if !one.dirty {
			continue
		}
		if one.stored != nil {
			p.items.Add(-1)
			p.bytes.Add(-int64(one.stored.size()))
		}
		if one.new != nil {
			p.items.Add(1)
			p.bytes.Add(int64(one.new.size()))
		}
	}
}
