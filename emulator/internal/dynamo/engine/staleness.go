package engine

import (
	"encoding/binary"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Replica returns the replica that answers a read of a table: the leader, which is current, for a consistent read;
// otherwise one of three at random.
func (c *Request) Replica(consistent bool) lag.Replica {
	switch {
	case consistent:
		return lag.Leader
	case c.Stale:
		return lag.Oldest
	}
	return c.Engine.PendingWrites.Pick()
}

// announce records the change as pending: the replicas of the table and its local indexes show it after their lag.
func (c *Change) announce(tx *store.Tx) {
	if c.Table.pendingWrites.Recording() {
		var room [4]lag.Image
		was := append(room[:0], lag.Image{Key: c.Key, Value: c.Old, Found: c.Old != nil})
		c.Table.pendingWrites.Record(tx, lag.Table, nil, append(was, c.former...)...)
	}
}

// entryChange is the change of an item's entry in an index. A key is nil if there is no entry.
type entryChange struct {
	oldKey, newKey []byte
	old            item.Value
	moved          bool
}

// images returns the previous images.
func (e entryChange) images() []lag.Image {
	var was []lag.Image
	if e.oldKey != nil {
		was = append(was, lag.Image{Key: e.oldKey, Value: e.old, Found: true})
	}
	if e.newKey != nil && e.moved {
		was = append(was, lag.Image{Key: e.newKey}) // no other item can have that key
	}
	return was
}

// announce records the change as pending for a global index. A local index shows it when its table does.
func (x *Index) announce(tx *store.Tx, c *Change, e entryChange) {
	if x.Local {
		c.former = append(c.former, e.images()...)
		return
	}
	lane := append(binary.BigEndian.AppendUint32(make([]byte, 0, 4+len(c.Key)), x.ID), c.Key...)
	c.Table.pendingWrites.Record(tx, lag.Index, lane, e.images()...)
}
