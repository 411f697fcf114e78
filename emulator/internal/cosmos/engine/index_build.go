package engine

import (
	"context"
	"encoding/binary"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/index"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

func (c *Container) indexKey(number uint32) []byte {
	return store.AppendUint32(c.Key(letterIndex, 4), number)
}

// loadIndexes finds the container's indexes in the store. One that was being made goes on being kept up, and is made
// anew.
func (c *Container) loadIndexes() error {
	prefix := c.Key(letterIndex, 0)
	return c.State.Store.View(func(r *store.Reader) error {
		it := r.Iter(prefix, store.PrefixEnd(prefix), false)
		defer it.Close()
		for it.Next() {
			v, err := doc.Parse(it.Value())
			if err != nil || len(it.Key()) != len(prefix)+4 {
				return ErrItem
			}
			x, err := index.Parse(binary.BigEndian.Uint32(it.Key()[len(prefix):]), v)
			if err != nil {
				return err
			}
			c.Indexes.Add(x)
			c.Indexes.Next = max(c.Indexes.Next, x.Number+1)
		}
		return it.Close()
	})
}

// minIndexed is how many items a container has before a query makes an index: fewer are read as fast.
const minIndexed = 16

// UsableIndex is the index of a spec, made where there is none. It is nil where the container has too few items for
// one, or too many indexes. Who else wants one meanwhile waits.
func (c *Container) UsableIndex(ctx context.Context, s index.Spec) (*index.Index, error) {
	if x := c.Indexes.Find(s); x != nil && x.Ready.Load() {
		return x, nil
	}
	if c.Items() < c.State.IndexFrom {
		return nil, nil
	}
	if err := c.Indexes.Building.Close(ctx); err != nil {
		return nil, err
	}
	defer c.Indexes.Building.Open()
	x := c.Indexes.Find(s)
	switch {
	case x != nil && x.Ready.Load():
		return x, nil
	case x == nil && (len(c.Indexes.List()) >= index.MaxIndexes || !c.Definition.Load().Indexing.Has(s)): // the policy was replaced just now
		return nil, nil
	case x == nil:
		x = &index.Index{Number: c.Indexes.Next, Spec: s}
		c.Indexes.Next++
		if err := c.publish(ctx, x); err != nil {
			return nil, err
		}
	}
	if err := c.fill(ctx, x); err != nil || x.Gone.Load() {
		return nil, err
	}
	return x, nil
}

// Items is how many items the container has.
func (c *Container) Items() int64 {
	n := int64(0)
	for _, p := range c.Partitions() {
		n += p.Items.Load()
	}
	return n
}

// publish lets all transactions from now on keep an index up, of which the store has nothing yet.
func (c *Container) publish(ctx context.Context, x *index.Index) error {
	return c.State.Store.UpdateContext(ctx, store.Latch().Alone(c.Gate), func(tx *store.Tx) error {
		if c.Gone.Load() {
			return wire.OwnerNotFound()
		}
		tx.OnCommit(func() { c.Indexes.Add(x) })
		return tx.Set(c.indexKey(x.Number), x.Record(false))
	})
}

// How many items are entered at once, while no other transaction runs: so many, or of so many bytes.
const (
	fillStep  = 1000
	fillBytes = 2 << 20
)

// fill enters all items into an index.
func (c *Container) fill(ctx context.Context, x *index.Index) error {
	for from := uint64(0); ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		more, whole := false, false
		err := c.State.Store.UpdateContext(ctx, store.Latch().Alone(c.Gate), func(tx *store.Tx) (err error) {
			if c.Gone.Load() {
				return wire.OwnerNotFound()
			}
			if x.Gone.Load() {
				return nil
			}
			if from, more, err = c.fillSome(tx, x, from); err != nil || more {
				return err
			}
			whole = true
			return tx.Set(c.indexKey(x.Number), x.Record(true))
		})
		if err != nil || !more {
			x.Filled = c.State.News.Mark(ContainerPrefix(c.Number))
			x.Ready.Store(err == nil && whole) // not before its entries are there for all to see
			return err
		}
	}
}

// fillSome enters the items from a rid on, as many as a step takes, and says where to go on.
func (c *Container) fillSome(tx *store.Tx, x *index.Index, from uint64) (next uint64, more bool, err error) {
	prefix := c.Key(LetterItem, 0)
	it := tx.Iter(c.ItemKey(from), store.PrefixEnd(prefix), false)
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
func (c *Container) enter(tx *store.Tx, x *index.Index, rid uint64, stored []byte) error {
	i, err := ReadItem(rid, stored)
	if err != nil {
		return err
	}
	v, err := doc.Parse(i.Body)
	if err != nil {
		return ErrItem
	}
	keys, exact := entries(x, c, i, v)
	if !exact {
		x.Rough.Store(true)
	}
	for _, key := range keys {
		if err := tx.Append(key, value(x, i)); err != nil {
			return err
		}
	}
	return nil
}

// dropUnserved removes the indexes that a policy has no more, in a transaction that runs alone. Queries under way that
// have chosen one find it gone, or read on in the state of the store that they began with.
func (c *Container) dropUnserved(tx *store.Tx, policy *index.Policy) error {
	for _, x := range c.Indexes.List() {
		if policy.Has(x.Spec) {
			continue
		}
		tx.OnCommit(func() {
			x.Gone.Store(true)
			c.Indexes.Remove(x)
		})
		prefix := Prefix(x, c)
		if err := tx.DeleteRange(prefix, store.PrefixEnd(prefix)); err != nil {
			return err
		}
		if err := tx.Delete(c.indexKey(x.Number)); err != nil {
			return err
		}
	}
	return nil
}
