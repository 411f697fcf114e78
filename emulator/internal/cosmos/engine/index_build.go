package engine

import (
	"context"
	"encoding/binary"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/index"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// loadIndexes reads the container's indexes from the store. An index whose build was interrupted is maintained by
// writes, and the next query that needs it builds it again.
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

// ReadyIndex returns the index with a spec if it has been built, and nil otherwise.
func (c *Container) ReadyIndex(s index.Spec) *index.Index {
	if x := c.Indexes.Find(s); x != nil && x.Ready.Load() {
		return x
	}
	return nil
}

// EnsureIndex returns the index with a spec, and builds it if it does not exist. It returns nil if the container has
// too few items for an index, or too many indexes. Other callers wait while an index is being built. work is the
// budget of the request; its turn ends.
func (c *Container) EnsureIndex(work *budget.Budget, s index.Spec) (*index.Index, error) {
	if x := c.ReadyIndex(s); x != nil || c.Items() < c.State.MinIndexedItems {
		return x, nil
	}
	work.EndTurn()
	if err := c.Indexes.Building.Close(work.Context()); err != nil {
		return nil, err
	}
	defer c.Indexes.Building.Open()
	return c.buildIndex(work.Context(), work.Pace, s)
}

// AdvanceIndex is EnsureIndex for requests that can do without the index. It continues the build only while other
// requests build no index and make no paced steps, and ends it after a step when the time of work is over; it returns
// nil while steps are left.
func (c *Container) AdvanceIndex(work *budget.Budget, s index.Spec) (*index.Index, error) {
	if x := c.ReadyIndex(s); x != nil || c.Items() < c.State.MinIndexedItems || !c.Indexes.Building.TryClose() {
		return x, nil
	}
	defer c.Indexes.Building.Open()
	return c.buildIndex(work.Context(), work.TryPace, s)
}

// buildIndex makes steps of the build of an index, by Pace or TryPace of a Budget, until that reports that there are no
// more, and returns the index if it is ready. After an error, the next call continues. c.Indexes.Building is closed.
func (c *Container) buildIndex(ctx context.Context, pace func(step func() (bool, error)) (bool, error),
	s index.Spec) (*index.Index, error) {
	for more := true; more; {
		var err error
		if more, err = pace(func() (bool, error) { return c.buildStep(ctx, s) }); err != nil {
			return nil, err
		}
	}
	return c.ReadyIndex(s), nil
}

// buildStep begins the build of an index or adds some of the items to it.
func (c *Container) buildStep(ctx context.Context, s index.Spec) (more bool, err error) {
	switch x := c.Indexes.Find(s); {
	case x != nil && x.Ready.Load():
		return false, nil
	case x != nil:
		return c.addItems(ctx, x)
	// the policy was replaced just now
	case len(c.Indexes.List()) >= index.MaxIndexes || !c.Definition.Load().Indexing.Allows(s):
		return false, nil
	}
	return true, c.addIndex(ctx, s)
}

// addIndex adds an empty index, which all transactions maintain from then on.
func (c *Container) addIndex(ctx context.Context, s index.Spec) error {
	x := &index.Index{Number: c.Indexes.Next, Spec: s}
	c.Indexes.Next++
	return c.State.Store.UpdateContext(ctx, store.Latch().Alone(c.Gate), func(tx *store.Tx) error {
		if c.Deleted.Load() {
			return wire.OwnerNotFound()
		}
		tx.OnCommit(func() { c.Indexes.Add(x) })
		return tx.Set(c.indexKey(x.Number), x.Record(false))
	})
}

// The limits of one step of a build, during which no other transaction runs: items, and bytes. It takes about 2 ms.
const (
	buildStepItems = 200
	buildStepBytes = 512 << 10
)

// addItems adds the next items to an index; after the last ones, the index is ready. Scripts that run meanwhile need
// not run again: their transactions maintain the index, whether its build has reached their items or not.
func (c *Container) addItems(ctx context.Context, x *index.Index) (more bool, err error) {
	next := x.BuildFrom
	err = c.State.Store.UpdateContext(ctx, store.Latch().Excluding(c.Gate), func(tx *store.Tx) (err error) {
		if c.Deleted.Load() {
			return wire.OwnerNotFound()
		}
		if x.Removed.Load() {
			return nil
		}
		next, more, err = c.addNextItems(tx, x, x.BuildFrom)
		return err
	})
	if err != nil {
		return false, err
	}
	if x.BuildFrom = next; more {
		return true, nil
	}
	return false, c.completeIndex(ctx, x)
}

// completeIndex makes an index with all items ready. Transactions of scripts that began before run again: what they
// recorded for replicas may lack entries that the build has added since.
func (c *Container) completeIndex(ctx context.Context, x *index.Index) error {
	if err := c.State.Store.UpdateContext(ctx, store.Latch().Alone(c.Gate), func(tx *store.Tx) error {
		switch {
		case c.Deleted.Load():
			return wire.OwnerNotFound()
		case x.Removed.Load():
			return nil
		}
		return tx.Set(c.indexKey(x.Number), x.Record(true))
	}); err != nil {
		return err
	}
	x.BuiltAt = c.State.PendingWrites.Mark(ContainerPrefix(c.Number))
	x.Ready.Store(!x.Removed.Load()) // only once the entries are visible to all readers
	return nil
}

// addNextItems adds the items from a rid on, up to the limits of one step, and returns the rid to continue at.
func (c *Container) addNextItems(tx *store.Tx, x *index.Index, from uint64) (next uint64, more bool, err error) {
	prefix := c.Key(LetterItem, 0)
	it := tx.Iter(c.ItemKey(from), store.PrefixEnd(prefix), false)
	defer it.Close()
	size := 0
	for n := 0; it.Next(); n++ {
		if n == buildStepItems || size >= buildStepBytes {
			return from, true, nil
		}
		rid := binary.BigEndian.Uint64(it.Key()[len(prefix):])
		size += len(it.Value())
		if err := c.addIndexEntries(tx, x, rid, it.Value()); err != nil {
			return 0, false, err
		}
		from = rid + 1
	}
	return from, false, it.Close()
}

// addIndexEntries adds a stored item to an index.
func (c *Container) addIndexEntries(tx *store.Tx, x *index.Index, rid uint64, stored []byte) error {
	i, err := ReadItem(rid, stored)
	if err != nil {
		return err
	}
	v, err := doc.Parse(i.Body)
	if err != nil {
		return ErrItem
	}
	keys, exact := entryKeys(x, c, i, v)
	if !exact {
		x.Truncated.Store(true)
	}
	for _, key := range keys {
		if err := tx.Append(key, entryValue(x, i)); err != nil {
			return err
		}
	}
	return nil
}

// dropExcludedIndexes deletes the indexes that a policy no longer includes, in an exclusive transaction. A query that
// has chosen one either finds it gone or continues on the snapshot it began with.
func (c *Container) dropExcludedIndexes(tx *store.Tx, policy *index.Policy) error {
	for _, x := range c.Indexes.List() {
		if policy.Allows(x.Spec) {
			continue
		}
		x.Dropping.Store(true)
		tx.OnAbort(func() { x.Dropping.Store(false) })
		tx.OnCommit(func() {
			x.Removed.Store(true)
			c.Indexes.Remove(x)
		})
		prefix := EntryPrefix(x, c)
		if err := tx.DeleteRange(prefix, store.PrefixEnd(prefix)); err != nil {
			return err
		}
		if err := tx.Delete(c.indexKey(x.Number)); err != nil {
			return err
		}
	}
	return nil
}
