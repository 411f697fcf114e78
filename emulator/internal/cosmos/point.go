package cosmos

import (
	"encoding/binary"

	"github.com/tabletop-db/tabletop/emulator/internal/lag"
)

// point reads the item under an identity: visit is called with it, in the store's memory, which is valid only meanwhile; found
// says whether it was there. It takes no snapshot: of what is written meanwhile it sees the item before or after.
func (c *container) point(identity []byte, visit func(*item) error) (found bool, err error) {
	if rid := c.state.rids.of(identity); rid != 0 {
		if found, err = c.visit(rid, visit); found || err != nil {
			return found, err
		}
	}
	for before := uint64(0); ; {
		rid, err := c.ridOf(identity)
		if err != nil || rid == 0 || rid == before {
			return false, err // an item whose rid is still the same and that is not there is one that is being deleted
		}
		if found, err = c.visit(rid, visit); found || err != nil {
			c.state.rids.note(identity, rid)
			return found, err
		}
		before = rid
	}
}

// visit calls visit with the item of a rid, if there is one, as point does.
func (c *container) visit(rid uint64, visit func(*item) error) (found bool, err error) {
	err = c.state.store.Get(c.itemKey(rid), func(value []byte, ok bool) error {
		if found = ok; !ok {
			return nil
		}
		i, err := readItem(rid, value)
		if err != nil {
			return err
		}
		return visit(i)
	})
	return found, err
}

// point is container.point as the replica shows it that answers the request.
func (c *call) point(identity []byte, visit func(*item) error) (found bool, err error) {
	if c.replica == lag.Leader {
		return c.container.point(identity, visit)
	}
	err = c.view(func(v *lag.View) error {
		i, err := c.container.storedIn(v, identity)
		if found = i != nil; !found || err != nil {
			return err
		}
		return visit(i)
	})
	return found, err
}

// ridOf is the rid under an identity; 0: there is none.
func (c *container) ridOf(identity []byte) (rid uint64, err error) {
	err = c.state.store.Get(identity, func(value []byte, ok bool) error {
		if ok && len(value) == 8 {
			rid = binary.BigEndian.Uint64(value)
		}
		return nil
	})
	return rid, err
}

// getter reads a key, as store.Reader does, and lag.View as a replica shows it.
type getter interface {
	Get(key []byte) (value []byte, ok bool, err error)
}

// stored is the item that the store has under an identity, in memory of its own; nil: none.
func (c *container) stored(r getter, identity []byte) (*item, error) {
	i, err := c.storedIn(r, identity)
	if i == nil || err != nil {
		return nil, err
	}
	return i.clone(), nil
}

// storedIn is stored in the store's memory.
func (c *container) storedIn(r getter, identity []byte) (*item, error) {
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
	return readItem(rid, value)
}
