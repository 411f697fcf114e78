package engine

import "encoding/binary"

// PointRead reads the item of an identity. It calls visit with the item, which aliases the store's memory and is valid
// only during the call; found reports whether the item exists. PointRead takes no snapshot: it sees a concurrent write
// either completely or not at all.
func (c *Container) PointRead(identity []byte, visit func(*Item) error) (found bool, err error) {
	if rid := c.State.ridCache.get(identity); rid != 0 {
		if found, err = c.readByRID(rid, visit); found || err != nil {
			return found, err
		}
	}
	for before := uint64(0); ; {
		rid, err := c.ridOf(identity)
		if err != nil || rid == 0 || rid == before {
			return false, err // the rid did not change and its item is missing: the item is being deleted
		}
		if found, err = c.readByRID(rid, visit); found || err != nil {
			c.State.ridCache.put(identity, rid)
			return found, err
		}
		before = rid
	}
}

// readByRID calls visit with the item of a rid, if it exists, as PointRead does.
func (c *Container) readByRID(rid uint64, visit func(*Item) error) (found bool, err error) {
	err = c.State.Store.Get(c.ItemKey(rid), func(value []byte, ok bool) error {
		if found = ok; !ok {
			return nil
		}
		i, err := ReadItem(rid, value)
		if err != nil {
			return err
		}
		return visit(i)
	})
	return found, err
}

// ridOf returns the rid of an identity; 0: none.
func (c *Container) ridOf(identity []byte) (rid uint64, err error) {
	err = c.State.Store.Get(identity, func(value []byte, ok bool) error {
		if ok && len(value) == 8 {
			rid = binary.BigEndian.Uint64(value)
		}
		return nil
	})
	return rid, err
}

// getter reads a key: store.Reader from the store, lag.View as a replica shows it.
type getter interface {
	Get(key []byte) (value []byte, ok bool, err error)
}

// readStored returns a copy of the item with an identity, or nil.
func (c *Container) readStored(r getter, identity []byte) (*Item, error) {
	i, err := c.ReadByIdentity(r, identity)
	if i == nil || err != nil {
		return nil, err
	}
	return i.clone(), nil
}

// ReadByIdentity returns the item with an identity, or nil. The item aliases the store's memory.
func (c *Container) ReadByIdentity(r getter, identity []byte) (*Item, error) {
	value, ok, err := r.Get(identity)
	if err != nil || !ok {
		return nil, err
	}
	rid := binary.BigEndian.Uint64(value)
	if value, ok, err = r.Get(c.ItemKey(rid)); err != nil {
		return nil, err
	}
	if !ok {
		return nil, ErrItem
	}
	return ReadItem(rid, value)
}
