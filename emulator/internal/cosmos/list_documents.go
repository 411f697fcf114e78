package cosmos

import (
	"encoding/binary"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// listDocuments reads the feed of items, in the order of their creation.
func (c *call) listDocuments() *Error {
	def, now := c.container.definition.Load(), c.s.now().Unix()
	lsn := c.container.sequence.floor()
	var all []doc.Value
	problem := c.s.store.View(func(r *store.Reader) error {
		prefix := c.container.key(letterItem, 0)
		it := r.Iter(prefix, store.PrefixEnd(prefix), false)
		defer it.Close()
		for it.Next() {
			i, err := readItem(binary.BigEndian.Uint64(it.Key()[len(prefix):]), it.Value())
			if err != nil {
				return err
			}
			if i.expired(def.defaultTTL, now) {
				continue
			}
			v, err := c.container.value(i)
			if err != nil {
				return err
			}
			all = append(all, v)
		}
		return it.Close()
	})
	if problem != nil {
		return c.internal(problem)
	}
	c.charge = chargeRead(0)
	c.stamp(nil, lsn)
	c.replyFeed("Documents", c.container.rid, all)
	return nil
}
