package scripts

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
)

// partitionSource reads the items of the partition in creation order, as the transaction sees them. Positions are rids.
type partitionSource struct {
	t       *engine.Transaction
	stored  *engine.PartitionRIDs
	last    uint64         // rid of the stored item that was read last
	rids    []uint64       // of the stored items that follow
	ended   bool           // no more stored items follow
	written []*engine.Item // that the transaction wrote and that are still to be read, in creation order
}

// source returns a source of the items after a position; empty: of all.
func (p *partitionItems) source(after []byte) *partitionSource {
	if p.stored == nil {
		v := lag.Stored(&p.t.Tx.Reader)
		p.stored = p.t.Container.PartitionRIDs(&v, p.index, p.t.Key)
	}
	s := &partitionSource{t: p.t, stored: p.stored}
	if len(after) == 8 {
		s.last = binary.BigEndian.Uint64(after)
	}
	for _, change := range p.t.Changes {
		if change.Dirty && change.New != nil && change.New.RID > s.last {
			s.written = append(s.written, change.New)
		}
	}
	slices.SortFunc(s.written, func(a, b *engine.Item) int { return cmp.Compare(a.RID, b.RID) })
	return s
}

// Next implements sql.Source.
func (s *partitionSource) Next(ctx context.Context) (v doc.Value, at []byte, ok bool, err error) {
	for ctx.Err() == nil {
		i, more, err := s.item()
		if !more || err != nil {
			return v, nil, false, err
		}
		if i != nil {
			v, err := s.t.Container.Value(i)
			return v, binary.BigEndian.AppendUint64(nil, i.RID), err == nil, err
		}
	}
	return v, nil, false, ctx.Err()
}

// item returns the next item, or nil if the next stored one is not to be read; more is false at the end.
func (s *partitionSource) item() (i *engine.Item, more bool, err error) {
	if len(s.rids) == 0 && !s.ended {
		if s.rids, err = s.stored.After(s.last); err != nil {
			return nil, false, err
		}
		s.ended = len(s.rids) == 0
	}
	if len(s.written) > 0 && (len(s.rids) == 0 || s.written[0].RID < s.rids[0]) {
		i, s.written = s.written[0], s.written[1:]
		return i, true, nil
	}
	if len(s.rids) == 0 {
		return nil, false, nil
	}
	s.last, s.rids = s.rids[0], s.rids[1:]
	i, err = s.read(s.last)
	return i, true, err
}

// read returns a stored item, or nil if it has expired or the transaction wrote it. Unlike Transaction.Read, it does
// not add the item to the transaction's changes.
func (s *partitionSource) read(rid uint64) (*engine.Item, error) {
	value, ok, err := s.t.Tx.Get(s.t.Container.ItemKey(rid))
	if err != nil || !ok {
		return nil, err
	}
	i, err := engine.ReadItem(rid, value)
	if err != nil || i.Expired(s.t.Definition.DefaultTTL, s.t.Now) {
		return nil, err
	}
	if change := s.t.Change(i.ID); change != nil && change.Dirty {
		return nil, nil
	}
	return i, nil
}
