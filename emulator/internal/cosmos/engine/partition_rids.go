package engine

import (
	"context"
	"encoding/binary"
	"slices"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/index"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// The items of a logical partition are found by their identities, in the order of ids, and must all be listed for those
// that come first in order of creation. If a partition proves too long for that, an index has its items in this order.

const (
	maxListedRIDs = 1000 // items of a partition that are listed without an index; that takes less than 1 ms
	ridsAtOnce    = 64   // items that are read from the index at once
)

// itemIndex is the index of the items of each logical partition, in order of creation.
var itemIndex = index.Spec{Scoped: true}

// ItemIndex returns the index for PartitionRIDs; nil: there is none yet. Call it before the snapshot is taken.
func (c *Container) ItemIndex() *index.Index { return c.ReadyIndex(itemIndex) }

// itemIndexTime is how long a page may build the index.
const itemIndexTime = 20 * time.Millisecond

// AdvanceItemIndex is ItemIndex for a page of a feed. If a partition proved too long to be listed, it continues the
// build for a short time, as AdvanceIndex does.
func (c *Container) AdvanceItemIndex(ctx context.Context, pool *budget.Pool) (*index.Index, error) {
	if x := c.ItemIndex(); x != nil || !c.hasLongPartitions.Load() {
		return x, nil
	}
	work := budget.New(ctx, budget.Limits{Time: itemIndexTime, Pool: pool})
	defer work.Close()
	return c.AdvanceIndex(work, itemIndex)
}

// PartitionRIDs are the rids of the items of a logical partition in a snapshot, in order of creation.
type PartitionRIDs struct {
	container *Container
	view      lag.View
	index     *index.Index // nil: the rids are listed
	epk       doc.EPK
	identity  []byte // prefix of the items' identities

	all      []uint64
	isListed bool
}

// PartitionRIDs returns the rids of a logical partition. x is the result of ItemIndex, or of AdvanceItemIndex.
func (c *Container) PartitionRIDs(v *lag.View, x *index.Index, key doc.PartitionKey) *PartitionRIDs {
	def := &c.Definition.Load().Key
	epk := def.EPK(key)
	if x != nil && (!x.Usable() || def.SharesEPK(key)) {
		x = nil
	}
	return &PartitionRIDs{container: c, view: *v, index: x, epk: epk, identity: c.IdentityPrefix(epk, key)}
}

// After returns the next rids above a rid, some or all of them. It returns none if there are none.
func (p *PartitionRIDs) After(rid uint64) ([]uint64, error) {
	if p.index != nil {
		return p.indexed(rid)
	}
	if !p.isListed {
		var err error
		if p.all, err = p.container.ridsWithPrefix(&p.view, p.identity); err != nil {
			return nil, err
		}
		p.isListed = true
	}
	first, _ := slices.BinarySearch(p.all, rid+1)
	return p.all[first:], nil
}

// indexed is After for an index.
func (p *PartitionRIDs) indexed(rid uint64) ([]uint64, error) {
	prefix := PartitionEntryPrefix(p.index, p.container, p.epk)
	it := p.view.Iter(store.AppendUint64(slices.Clone(prefix), rid+1), store.PrefixEnd(prefix), false)
	defer it.Close()
	var rids []uint64
	for len(rids) < ridsAtOnce && it.Next() {
		rids = append(rids, binary.BigEndian.Uint64(it.Key()[len(prefix):]))
	}
	return rids, it.Close()
}

// ridsWithPrefix returns the rids of the items whose identities have a prefix, sorted.
func (c *Container) ridsWithPrefix(v *lag.View, prefix []byte) ([]uint64, error) {
	it := v.Iter(prefix, store.PrefixEnd(prefix), false)
	defer it.Close()
	var rids []uint64
	for it.Next() {
		if value := it.Value(); len(value) == 8 {
			rids = append(rids, binary.BigEndian.Uint64(value))
		}
	}
	if len(rids) > maxListedRIDs {
		c.hasLongPartitions.Store(true)
	}
	slices.Sort(rids)
	return rids, it.Close()
}
