package cosmos

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// minIndexed is how many items a container has before a query makes an index: fewer are read as fast.
const minIndexed = 16

// usableIndex is the index of a spec, made where there is none. It is nil where the container has too few items for one, or too
// many indexes. Who else wants one meanwhile waits.
func (c *container) usableIndex(ctx context.Context, s indexSpec) (*Index, error) {
	if x := c.indexes.find(s); x != nil && x.ready.Load() {
		return x, nil
	}
	if c.items() < c.state.indexFrom {
		return nil, nil
	}
	if err := c.indexes.building.Close(ctx); err != nil {
		return nil, err
	}
	defer c.indexes.building.Open()
	x := c.indexes.find(s)
	switch {
	case x != nil && x.ready.Load():
		return x, nil
	case x == nil && (len(c.indexes.list()) >= maxIndexes || !c.definition.Load().indexing.has(s)): // the policy was replaced just now
		return nil, nil
	case x == nil:
		x = &Index{number: c.indexes.next, spec: s}
		c.indexes.next++
		if err := c.publish(ctx, x); err != nil {
			return nil, err
		}
	}
	if err := c.fill(ctx, x); err != nil || x.gone.Load() {
		return nil, err
	}
	return x, nil
}

// items is how many items the container has.
func (c *container) items() int64 {
	n := int64(0)
	for _, p := range c.partitions() {
		n += p.items.Load()
	}
	return n
}

// publish lets all transactions from now on keep an index up, of which the store has nothing yet.
func (c *container) publish(ctx context.Context, x *Index) error {
	return c.state.store.UpdateContext(ctx, store.Latch().Alone(c.gate), func(tx *store.Tx) error {
		if c.gone.Load() {
			return ownerNotFound()
		}
		tx.OnCommit(func() { c.indexes.add(x) })
		return tx.Set(c.indexKey(x.number), x.record(false))
	})
}

// How many items are entered at once, while no other transaction runs: so many, or of so many bytes.
const (
	fillStep  = 1000
	fillBytes = 2 << 20
)

// fill enters all items into an index.
func (c *container) fill(ctx context.Context, x *Index) error {
	for from := uint64(0); ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		more, whole := false, false
		err := c.state.store.UpdateContext(ctx, store.Latch().Alone(c.gate), func(tx *store.Tx) (err error) {
			if c.gone.Load() {
				return ownerNotFound()
			}
			if x.gone.Load() {
				return nil
			}
			if from, more, err = c.fillSome(tx, x, from); err != nil || more {
				return err
			}
			whole = true
			return tx.Set(c.indexKey(x.number), x.record(true))
		})
		if err != nil || !more {
			x.filled = c.state.news.Mark(containerPrefix(c.number))
			x.ready.Store(err == nil && whole) // not before its entries are there for all to see
			return err
		}
	}
}

// fillSome enters the items from a rid on, as many as a step takes, and says where to go on.
func (c *container) fillSome(tx *store.Tx, x *Index, from uint64) (next uint64, more bool, err error) {
	prefix := c.key(letterItem, 0)
	it := tx.Iter(c.itemKey(from), store.PrefixEnd(prefix), false)
	defer it.Close()
	size := 0
	for n := 0; it.Next(); n++ {
		rid := binary.BigEndian.Uint64(it.Key()[len(prefix):])
		if n == fillStep || size >= fillBytes {
			return rid, true, nil
		}
		size += len(it.Value())
		if err := c.enter(tx, x, rid, it.Value()); err != nil {
			return 0, false, err
		}
	}
	return 0, false, it.Close()
}

// enter enters an item of the store into an index.
func (c *container) enter(tx *store.Tx, x *Index, rid uint64, stored []byte) error {
	i, err := readItem(rid, stored)
	if err != nil {
		return err
	}
	v, err := doc.Parse(i.body)
	if err != nil {
		return errItem
	}
	keys, exact := x.entries(c, i, v)
	if !exact {
		x.rough.Store(true)
	}
	for _, key := range keys {
		if err := tx.Append(key, x.value(i)); err != nil {
			return err
		}
	}
	return nil
}

// has says that the policy allows an index, whose computed properties are still what they were.
func (x *Policy) has(s indexSpec) bool {
	if slices.ContainsFunc(s.parts, func(p compositePath) bool { return p.query() != x.computed[p.steps[0].Name] }) {
		return false
	}
	switch len(s.parts) {
	case 0:
		return true
	case 1:
		return x.serves(s.parts[0].steps)
	}
	return slices.ContainsFunc(x.composite, func(c composite) bool {
		ok, _ := c.matches(s.parts)
		return ok
	})
}

// dropUnserved removes the indexes that a policy has no more, in a transaction that runs alone. Queries under way that have
// chosen one find it gone, or read on in the state of the store that they began with.
func (c *container) dropUnserved(tx *store.Tx, policy *Policy) error {
	for _, x := range c.indexes.list() {
		if policy.has(x.spec) {
			continue
		}
		tx.OnCommit(func() {
			x.gone.Store(true)
			c.indexes.remove(x)
		})
		prefix := x.prefix(c)
		if err := tx.DeleteRange(prefix, store.PrefixEnd(prefix)); err != nil {
			return err
		}
		if err := tx.Delete(c.indexKey(x.number)); err != nil {
			return err
		}
	}
	return nil
}
