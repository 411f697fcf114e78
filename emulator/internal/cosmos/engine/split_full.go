package engine

import (
	"context"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// splitFull splits the physical partition of an effective partition key where it holds too much, as the service does at
// 50 GB: at the middle of its range, whatever lies on which side. A range that is too narrow stays whole. Where ctx
// ends before, the next write splits it.
func (c *Container) splitFull(ctx context.Context, e doc.EPK) error {
	if !c.full(c.PartitionOf(e)) {
		return nil
	}
	all := &c.State.Catalog
	if err := all.changing.Close(ctx); err != nil {
		return err
	}
	defer all.changing.Open()
	parts := c.Partitions()
	i := slices.IndexFunc(parts, func(p *Partition) bool { return p.Holds(e) })
	if i < 0 || c.Gone.Load() || !c.full(parts[i]) { // somebody else did meanwhile
		return nil
	}
	low, high, ok := parts[i].part(&c.Definition.Load().Key, nextID(parts))
	if !ok {
		return nil
	}
	parts = slices.Replace(slices.Clone(parts), i, i+1, low, high)
	if err := c.State.Store.UpdateContext(ctx, store.Latch().Alone(c.Gate), func(tx *store.Tx) error {
		err := c.Repartition(tx, parts)
		for _, half := range []*Partition{low, high} {
			if n := half.Bytes.Load(); n > c.State.fullAt {
				half.spared = 2 * n
			}
		}
		return err
	}); err != nil {
		return err
	}
	all.distribute(c)
	return nil
}

// full reports whether a partition holds too much.
func (c *Container) full(p *Partition) bool {
	n := p.Bytes.Load()
	return n > c.State.fullAt && n > p.spared && p.Items.Load() > 1
}

// Repartition gives a container other physical partitions, in a transaction that runs alone, while the catalogue is
// being changed.
func (c *Container) Repartition(tx *store.Tx, parts []*Partition) error {
	if err := c.countNew(tx, parts); err != nil {
		return err
	}
	tx.OnCommit(func() { c.parts.Store(&parts) })
	return tx.Set(numbered(metaContainer, c.Number), c.recordWith(c.Definition.Load(), parts))
}
