package engine

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/recount"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// The number and size of the items in each partition are counted in memory and stored when the service is closed. After
// a crash they are counted from the items.

// saveCounters stores the container's sequence, the position of its versions and, if they are known, its item counts.
func (c *Container) saveCounters() error {
	if c.Definition.Load().Retention > 0 { // clients have positions as continuations
		if err := c.Log.Save(); err != nil {
			return err
		}
	}
	if c.uncounted.Load() {
		return c.Sequence.close(nil)
	}
	var counts []doc.Value
	for _, p := range c.Partitions() {
		counts = append(counts, doc.Array(doc.Number(float64(p.Items.Load())), doc.Number(float64(p.Bytes.Load()))))
	}
	return c.Sequence.close(doc.Append(nil, doc.Array(counts...)))
}

// loadCounters sets the counts of each partition of a container that was read from the store. If they were not saved,
// startCounting counts the items.
func (c *Container) loadCounters() error {
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
	c.uncounted.Store(true)
	return nil
}

// startCounting counts the items of the containers whose counts were not saved, in a large folder while requests are
// served.
func (s *State) startCounting() (err error) {
	var left []*Container
	for _, d := range s.Catalog.Databases() {
		left = append(left, slices.DeleteFunc(s.Catalog.allContainers(d), func(c *Container) bool {
			return !c.uncounted.Load()
		})...)
	}
	if len(left) == 0 {
		return nil
	}
	parts := map[*Container][]*Partition{} // as of now: those that are split later are counted then
	for _, c := range left {
		parts[c] = c.Partitions()
	}
	s.counting, err = recount.Start(s.Store, func(r *store.Reader, counted func(bytes int) error) error {
		for _, c := range left {
			if err := c.countItems(r, parts[c], counted); err != nil {
				return err
			}
			c.uncounted.Store(false)
		}
		return nil
	}, func(err error) { s.Log.Error("the items of containers cannot be counted", "error", err) })
	return err
}

// StopCounting ends the counting of items in the background, if there is any. What is not counted by then is counted
// when the containers are loaded again.
func (s *State) StopCounting() {
	s.counting.Stop()
	s.counting = nil
}

// countAddedPartitions counts the items of those partitions that the container does not have yet, in an exclusive
// transaction.
func (c *Container) countAddedPartitions(tx *store.Tx, parts []*Partition) error {
	previous := c.Partitions()
	return c.CountItems(&tx.Reader, slices.DeleteFunc(slices.Clone(parts), func(p *Partition) bool {
		return slices.Contains(previous, p)
	}))
}

// CountItems counts the items of partitions whose counts are zero.
func (c *Container) CountItems(r *store.Reader, parts []*Partition) error {
	return c.countItems(r, parts, func(int) error { return nil })
}

// countItems is CountItems that calls counted after each item.
func (c *Container) countItems(r *store.Reader, parts []*Partition, counted func(bytes int) error) error {
	prefix := c.Key(LetterItem, 0)
	it := r.Iter(prefix, store.PrefixEnd(prefix), false)
	defer it.Close()
	for it.Next() {
		i, err := ReadItem(binary.BigEndian.Uint64(it.Key()[len(prefix):]), it.Value())
		if err != nil {
			return err
		}
		if at := slices.IndexFunc(parts, func(p *Partition) bool { return p.Contains(i.EPK) }); at >= 0 {
			parts[at].Items.Add(1)
			parts[at].Bytes.Add(int64(i.Size()))
		}
		if err := counted(len(it.Value())); err != nil {
			return err
		}
	}
	return it.Close()
}

// updateCounters adds the changes of a committed transaction to the counts, before a split can happen.
func (t *Transaction) updateCounters() {
	if t.LSN == 0 {
		return
	}
	p := t.Container.PartitionOf(t.EPK)
	for _, change := range t.Changes {
		if !change.Dirty {
			continue
		}
		if change.stored != nil {
			p.Items.Add(-1)
			p.Bytes.Add(-int64(change.stored.Size()))
		}
		if change.New != nil {
			p.Items.Add(1)
			p.Bytes.Add(int64(change.New.Size()))
		}
	}
}

// ResourceQuota is the value of the x-ms-resource-quota header, in kilobytes, as live accounts return it.
const ResourceQuota = "documentSize=10240;documentsSize=10485760;documentsCount=-1;collectionSize=10485760;"

// ResourceUsage returns the value of the x-ms-resource-usage header: what the container holds, in kilobytes.
func (c *Container) ResourceUsage() string {
	items, bytes := int64(0), int64(0)
	for _, p := range c.Partitions() {
		items, bytes = items+p.Items.Load(), bytes+p.Bytes.Load()
	}
	size := (bytes + throughput.Kilobyte - 1) / throughput.Kilobyte
	return fmt.Sprintf("documentSize=%d;documentsSize=%d;documentsCount=%d;collectionSize=%d;", size/throughput.Kilobyte,
		size, items, size)
}

// Items returns the number of items in the container.
func (c *Container) Items() int64 {
	n := int64(0)
	for _, p := range c.Partitions() {
		n += p.Items.Load()
	}
	return n
}
