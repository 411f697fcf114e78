package cosmos

import (
	"encoding/binary"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// point reads the item under an identity: visit is called with it, in the store's memory, which is valid only meanwhile; found
// says whether it was there. It takes no snapshot: of what is written meanwhile it sees the item before or after.
func (c *container) point(identity []byte, visit func(*item) error) (found bool, err error) {
	for before := uint64(0); ; {
		rid, err := c.ridOf(identity)
		if err != nil || rid == 0 || rid == before {
			return false, err // an item whose rid is still the same and that is not there is one that is being deleted
		}
		err = c.service.store.Get(c.itemKey(rid), func(value []byte, ok bool) error {
			if found = ok; !ok {
				return nil
			}
			i, err := readItem(rid, value)
			if err != nil {
				return err
			}
			return visit(i)
		})
		if found || err != nil {
			return found, err
		}
		before = rid
	}
}

// ridOf is the rid under an identity; 0: there is none.
func (c *container) ridOf(identity []byte) (rid uint64, err error) {
	err = c.service.store.Get(identity, func(value []byte, ok bool) error {
		if ok && len(value) == 8 {
			rid = binary.BigEndian.Uint64(value)
		}
		return nil
	})
	return rid, err
}

// stored is the item that the store has under an identity, in memory of its own; nil: none.
func (c *container) stored(r *store.Reader, identity []byte) (*item, error) {
	value, ok, err := r.Get(identity)
	if err != nil || !ok {
		return nil, err
	}
	rid := binary.BigEndian.Uint64(value)
	if value, ok, err = r.Get(c.itemKey(rid)); err != nil {
		return nil, err
	}
	if !ok {
		return nil, errItem
	}
	i, err := readItem(rid, value)
	if err != nil {
		return nil, err
	}
	return i.clone(), nil
}
