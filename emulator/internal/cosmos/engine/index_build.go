package engine

import (
	"context"
	"encoding/binary"
	"math"

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

// EnsureIndex returns the index with a spec, and creates it if it does not exist. It returns nil if the container has
// too few items for an index, or too many indexes. Other callers wait while an index is being built. work is the
// budget of the request; its turn ends.
func (c *Container) EnsureIndex(work *budget.Budget, s index.Spec) (*index.Index, error) {
	if x := c.Indexes.Find(s); x != nil && x.Ready.Load() {
		return x, nil
	}
	if c.Items() < c.State.MinIndexedItems {
		return nil, nil
	}
	work.EndTurn()
	if err := c.Indexes.Building.Close(work.Context()); err != nil {
		return nil, err
	}
	defer c.Indexes.Building.Open()
	return c.continueIndex(work, s, math.MaxInt)
}

// maxAdvanceSteps is the number of steps by which AdvanceIndex continues a build. They take about 20 ms, and as long
// for their rests.
const maxAdvanceSteps = 10

// AdvanceIndex is EnsureIndex for requests that can do without the index: it adds a limited number of items, and
// returns nil while there are more. It does not wait for another caller who builds an index.
func (c *Container) AdvanceIndex(work *budget.Budget, s index.Spec) (*index.Index, error) {
	if x := c.Indexes.Find(s); x != nil && x.Ready.Load() {
		return x, nil
	}
	if c.Items() < c.State.MinIndexedItems || !c.Indexes.Building.TryClose() {
		return nil, nil
	}
	defer c.Indexes.Building.Open()
	work.EndTurn()
	return c.continueIndex(work, s, maxAdvanceSteps)
}

// continueIndex returns the index with a spec, after up to a number of steps of its build; nil if there is none or more
// steps are left. c.Indexes.Building is closed.
func (c *Container) continueIndex(work *budget.Budget, s index.Spec, steps int) (*index.Index, error) {
	ctx, x := work.Context(), c.Indexes.Find(s)
	switch {
	case x != nil && x.Ready.Load():
		return x, nil
	// the policy was replaced just now
	case x == nil && (len(c.Indexes.List()) >= index.MaxIndexes || !c.Definition.Load().Indexing.Allows(s)):
		return nil, nil
	case x == nil:
		x = &index.Index{Number: c.Indexes.Next, Spec: s}
		c.Indexes.Next++
		if err := c.addIndex(ctx, x); err != nil {
			return nil, err
		}
	}
	if err := c.buildIndex(ctx, work, x, steps); err != nil || !x.Ready.Load() || x.Removed.Load() {
		return nil, err
	}
	return x, nil
}

// addIndex adds an empty index, which all transactions maintain from then on.
func (c *Container) addIndex(ctx context.Context, x *index.Index) error {
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

// buildIndex continues to add the items to an index, in up to a number of steps. If it fails, the next call continues
// after the last step.
func (c *Container) buildIndex(ctx context.Context, work *budget.Budget, x *index.Index, steps int) (err error) {
	complete := false
	for more := true; more && err == nil && steps > 0; steps-- {
		more, err = work.Pace(func() (more bool, err error) {
			next := x.BuildFrom
			err = c.State.Store.UpdateContext(ctx, store.Latch().Alone(c.Gate), func(tx *store.Tx) (err error) {
				if c.Deleted.Load() {
					return wire.OwnerNotFound()
				}
				if x.Removed.Load() {
					return nil
				}
				if next, more, err = c.buildIndexStep(tx, x, x.BuildFrom); err != nil || more {
					return err
				}
				complete = true
				return tx.Set(c.indexKey(x.Number), x.Record(true))
			})
			if err == nil {
				x.BuildFrom = next
			}
			return more, err
		})
	}
	if err != nil || !complete {
		return err
	}
	x.BuiltAt = c.State.PendingWrites.Mark(ContainerPrefix(c.Number))
	x.Ready.Store(true) // only once the entries are visible to all readers
	return nil
}

// buildIndexStep adds the items from a rid on, up to the limits of one step. If there are more, it returns the rid to
// continue at.
func (c *Container) buildIndexStep(tx *store.Tx, x *index.Index, from uint64) (next uint64, more bool, err error) {
	prefix := c.Key(LetterItem, 0)
	it := tx.Iter(c.ItemKey(from), store.PrefixEnd(prefix), false)
	defer it.Close()
	size := 0
	for n := 0; it.Next(); n++ {
		rid := binary.BigEndian.Uint64(it.Key()[len(prefix):])
		if n == buildStepItems || size >= buildStepBytes {
			return rid, true, nil
		}
		size += len(it.Value())
		if err := c.addIndexEntries(tx, x, rid, it.Value()); err != nil {
			return 0, false, err
		}
	}
	return 0, false, it.Close()
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
