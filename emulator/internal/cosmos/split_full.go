package cosmos

import (
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// splitFull splits the physical partition of an effective partition key where it holds too much, as the service does at 50 GB:
// at the middle of its range, whatever lies on which side. A range that is too narrow stays whole.
func (c *container) splitFull(e doc.EPK) error {
	if p := c.partitionOf(e); p.bytes.Load() <= c.service.fullAt || p.items.Load() < 2 {
		return nil
	}
	all := &c.service.catalog
	all.mu.Lock()
	defer all.mu.Unlock()
	parts := c.partitions()
	i := slices.IndexFunc(parts, func(p *partition) bool { return p.holds(e) })
	if i < 0 || c.gone.Load() || parts[i].bytes.Load() <= c.service.fullAt { // somebody else did meanwhile
		return nil
	}
	low, high, ok := parts[i].part(&c.definition.Load().key, nextID(parts))
	if !ok {
		return nil
	}
	parts = slices.Replace(slices.Clone(parts), i, i+1, low, high)
	err := c.service.store.Update(store.Latches{}, func(tx *store.Tx) error {
		return tx.Set(numbered(metaContainer, c.number), c.recordWith(c.definition.Load(), parts))
	})
	if err != nil {
		return err
	}
	c.parts.Store(&parts)
	all.fund(c)
	return nil
}
