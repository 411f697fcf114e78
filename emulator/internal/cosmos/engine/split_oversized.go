package engine

import (
	"context"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// splitOversized splits the physical partition of an effective partition key if it holds too many bytes, as the service
// does at 50 GB. It splits at the middle of the range, however the items are distributed. A range that is too narrow is
// not split. If ctx ends first, the next write splits the partition.
func (c *Container) splitOversized(ctx context.Context, e doc.EPK) error {
	if !c.oversized(c.PartitionOf(e)) {
		return nil
	}
	catalog := &c.State.Catalog
	if err := catalog.changing.Close(ctx); err != nil {
		return err
	}
	defer catalog.changing.Open()
	parts := c.Partitions()
	i := slices.IndexFunc(parts, func(p *Partition) bool { return p.Contains(e) })
	if i < 0 || c.Deleted.Load() || !c.oversized(parts[i]) { // another write has split it
		return nil
	}
	low, high, ok := parts[i].halves(&c.Definition.Load().Key, nextID(parts))
	if !ok {
		return nil
	}
	parts = slices.Replace(slices.Clone(parts), i, i+1, low, high)
	if err := c.State.Store.UpdateContext(ctx, store.Latch().Alone(c.Gate), func(tx *store.Tx) error {
		err := c.Repartition(tx, parts)
		for _, half := range []*Partition{low, high} {
			if n := half.Bytes.Load(); n > c.State.maxPartitionBytes {
				half.noSplitBelow = 2 * n
			}
		}
		return err
	}); err != nil {
		return err
	}
	catalog.distributeThroughput(c)
	return nil
}

// oversized reports whether a partition is too large.
func (c *Container) oversized(p *Partition) bool {
	n := p.Bytes.Load()
	return n > c.State.maxPartitionBytes && n > p.noSplitBelow && p.Items.Load() > 1
}

// Repartition replaces the physical partitions of a container, in an exclusive transaction, while the catalogue is
// being changed.
func (c *Container) Repartition(tx *store.Tx, parts []*Partition) error {
	if err := c.countAddedPartitions(tx, parts); err != nil {
		return err
	}
	tx.OnCommit(func() { c.partitions.Store(&parts) })
	return tx.Set(numberedMetaKey(metaContainer, c.Number), c.recordWithPartitions(c.Definition.Load(), parts))
}
