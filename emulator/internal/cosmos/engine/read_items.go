package engine

import (
	"encoding/binary"

	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Changes visits the items whose latest change has an LSN above after and up to upTo, in the order of the LSNs, until
// visit returns false.
func (c *Container) Changes(v *lag.View, after, upTo uint64, visit func(*Item) bool) error {
	it := v.Iter(c.changeFeedPrefix(after+1), c.changeFeedPrefix(upTo+1), false)
	defer it.Close()
	items := v.Lookup()
	defer items.Close()
	for it.Next() {
		i, err := c.lookUp(&items, binary.BigEndian.Uint64(it.Value()))
		if err != nil {
			return err
		}
		if !visit(i) {
			return nil
		}
	}
	return it.Close()
}

// EachOf visits the items with the given rids, in this order, until visit returns false.
func (c *Container) EachOf(v *lag.View, rids []uint64, visit func(*Item) bool) error {
	items := v.Lookup()
	defer items.Close()
	for _, rid := range rids {
		if i, err := c.lookUp(&items, rid); err != nil || !visit(i) {
			return err
		}
	}
	return nil
}

// lookUp returns an item that exists. It is valid until the next look-up.
func (c *Container) lookUp(items *lag.Lookup, rid uint64) (*Item, error) {
	value, ok, err := items.Get(c.ItemKey(rid))
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, ErrItem
	}
	return ReadItem(rid, value)
}

// EachItem visits the container's items with rids above after, in order of creation, until visit returns false.
func (c *Container) EachItem(v *lag.View, after uint64, visit func(*Item) bool) error {
	low := c.ItemKey(after + 1)
	it := v.Iter(low, store.PrefixEnd(c.Key(LetterItem, 0)), false)
	defer it.Close()
	for it.Next() {
		i, err := ReadItem(binary.BigEndian.Uint64(it.Key()[letterAt+1:]), it.Value())
		if err != nil {
			return err
		}
		if !visit(i) {
			return nil
		}
	}
	return it.Close()
}

// idsWithPrefix returns the first ids of a logical partition, at most limit.
func (c *Container) idsWithPrefix(r *store.Reader, prefix []byte, limit int) ([]string, error) {
	it := r.Iter(prefix, store.PrefixEnd(prefix), false)
	defer it.Close()
	var ids []string
	for len(ids) < limit && it.Next() {
		ids = append(ids, string(it.Key()[len(prefix):]))
	}
	return ids, it.Close()
}
