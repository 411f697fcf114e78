package engine

import (
	"encoding/binary"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Replica returns the replica that answers a read of a table: the leader, which is current, for a consistent read;
// otherwise one of three at random.
func (r *Request) Replica(consistent bool) lag.Replica {
	switch {
	case consistent:
		return lag.Leader
	case r.Stale:
		return lag.Oldest
	}
	return r.Engine.PendingWrites.PickReplica()
}

// recordPending records the change as pending: the replicas of the table and its local indexes show it after their lag.
func (c *Change) recordPending(tx *store.Tx) {
	if c.Table.pendingWrites.Recording() {
		var buf [4]lag.Image
		images := append(buf[:0], lag.Image{Key: c.Key, Value: c.Old, Found: c.Old != nil})
		c.Table.pendingWrites.Record(tx, lag.Table, nil, append(images, c.previousImages...)...)
	}
}

// entryChange is the change of an item's entry in an index. A key is nil if there is no entry.
type entryChange struct {
	oldKey, newKey []byte
	old            item.Value
	moved          bool
}

// previousImages returns the previous images.
func (e entryChange) previousImages() []lag.Image {
	var previous []lag.Image
	if e.oldKey != nil {
		previous = append(previous, lag.Image{Key: e.oldKey, Value: e.old, Found: true})
	}
	if e.newKey != nil && e.moved {
		previous = append(previous, lag.Image{Key: e.newKey}) // no other item can have that key
	}
	return previous
}

// recordPending records the change as pending for a global index. A local index shows it when its table does.
func (x *Index) recordPending(tx *store.Tx, c *Change, e entryChange) {
	if x.Local {
		c.previousImages = append(c.previousImages, e.previousImages()...)
		return
	}
	orderKey := append(binary.BigEndian.AppendUint32(make([]byte, 0, 4+len(c.Key)), x.ID), c.Key...)
	c.Table.pendingWrites.Record(tx, lag.Index, orderKey, e.previousImages()...)
}
