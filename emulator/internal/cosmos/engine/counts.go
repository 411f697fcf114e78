package engine

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// How many items a partition has, and how large they are, is counted in memory and written when the service is closed.
// After anything else it is counted anew.

// saveCounters writes the container's sequence and counts.
func (c *Container) saveCounters() error {
	var counts []doc.Value
	for _, p := range c.Partitions() {
		counts = append(counts, doc.Array(doc.Number(float64(p.Items.Load())), doc.Number(float64(p.Bytes.Load()))))
	}
	return c.Sequence.close(doc.Append(nil, doc.Array(counts...)))
}

// countItems finds what is in each partition of a container that was stored.
func (c *Container) countItems() error {
	parts := c.Partitions()
	var saved doc.Value
	err := c.State.Store.Get(c.Sequence.key, func(value []byte, ok bool) (err error) {
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
			p.Items.Store(int64(saved.At(i).At(0).Float()))
			p.Bytes.Store(int64(saved.At(i).At(1).Float()))
		}
		return nil
	}
	return c.State.Store.View(func(r *store.Reader) error { return c.CountIn(r, parts) })
}

// countNew counts what is in those of the partitions that the container does not have yet, in a transaction that runs
// alone.
func (c *Container) countNew(tx *store.Tx, parts []*Partition) error {
	was := c.Partitions()
	return c.CountIn(&tx.Reader, slices.DeleteFunc(slices.Clone(parts), func(p *Partition) bool { return slices.Contains(was, p) }))
}

// CountIn counts what is in some partitions, of which nothing is counted yet.
func (c *Container) CountIn(r *store.Reader, parts []*Partition) error {
	prefix := c.Key(LetterItem, 0)
	it := r.Iter(prefix, store.PrefixEnd(prefix), false)
	defer it.Close()
	for it.Next() {
		i, err := ReadItem(binary.BigEndian.Uint64(it.Key()[len(prefix):]), it.Value())
		if err != nil {
			return err
		}
		if at := slices.IndexFunc(parts, func(p *Partition) bool { return p.Holds(i.EPK) }); at >= 0 {
			parts[at].Items.Add(1)
			parts[at].Bytes.Add(int64(i.Size()))
		}
	}
	return it.Close()
}

// count notes what a transaction changed, once it is committed and before a split can come between.
func (t *Transaction) count() {
	if t.LSN == 0 {
		return
	}
	p := t.Container.PartitionOf(t.EPK)
	for _, one := range t.Changes {
		if !one.Dirty {
			continue
		}
		if one.stored != nil {
			p.Items.Add(-1)
			p.Bytes.Add(-int64(one.stored.Size()))
		}
		if one.New != nil {
			p.Items.Add(1)
			p.Bytes.Add(int64(one.New.Size()))
		}
	}
}

// Quota is what a container may hold, in kilobytes, as live accounts answer it.
const Quota = "documentSize=10240;documentsSize=10485760;documentsCount=-1;collectionSize=10485760;"

// Usage is what the container holds, in kilobytes.
func (c *Container) Usage() string {
	items, bytes := int64(0), int64(0)
	for _, p := range c.Partitions() {
		items, bytes = items+p.Items.Load(), bytes+p.Bytes.Load()
	}
	size := (bytes + throughput.Kilobyte - 1) / throughput.Kilobyte
	return fmt.Sprintf("documentSize=%d;documentsSize=%d;documentsCount=%d;collectionSize=%d;", size/throughput.Kilobyte, size, items, size)
}
