package cosmos

import (
	"context"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// splitFull splits the physical partition of an effective partition key where it holds too much, as the service does at 50 GB:
// at the middle of its range, whatever lies on which side. A range that is too narrow stays whole. Where ctx ends before, the next write splits it.
func (c *container) splitFull(ctx context.Context, e doc.EPK) error {
	if !c.full(c.partitionOf(e)) {
		return nil
	}
	all := &c.state.catalog
	if err := all.changing.Close(ctx); err != nil {
		return err
	}
	defer all.changing.Open()
	parts := c.partitions()
	i := slices.IndexFunc(parts, func(p *partition) bool { return p.Holds(e) })
	if i < 0 || c.gone.Load() || !c.full(parts[i]) { // somebody else did meanwhile
		return nil
	}
	low, high, ok := parts[i].part(&c.definition.Load().key, nextID(parts))
	if !ok {
		return nil
	}
	parts = slices.Replace(slices.Clone(parts), i, i+1, low, high)
	if err := c.state.store.UpdateContext(ctx, store.Latch().Alone(c.gate), func(tx *store.Tx) error {
		err := c.repartition(tx, parts)
		for _, half := range []*partition{low, high} {
			if n := half.bytes.Load(); n > c.state.fullAt {
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

// full says that a partition holds too much.
func (c *container) full(p *partition) bool {
	n := p.bytes.Load()
	return n > c.state.fullAt && n > p.spared && p.items.Load() > 1
}

// repartition gives a container other physical partitions, in a transaction that runs alone, while the catalogue is being changed.
func (c *container) repartition(tx *store.Tx, parts []*partition) error {
	if err := c.countNew(tx, parts); err != nil {
		return err
	}
	tx.OnCommit(func() { c.parts.Store(&parts) })
	return tx.Set(numbered(metaContainer, c.number), c.recordWith(c.definition.Load(), parts))
}
