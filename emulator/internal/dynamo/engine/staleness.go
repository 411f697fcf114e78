package engine

import (
	"encoding/binary"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Replica is who answers a read of a table: the leader, which is current, a consistent one; one of three by chance
// another.
func (c *Request) Replica(consistent bool) lag.Replica {
	switch {
	case consistent:
		return lag.Leader
	case c.Stale:
		return lag.Oldest
	}
	return c.Engine.PendingWrites.Pick()
}

// announce lets the replicas of the table, and of its local indexes, show the change in their time.
func (c *Change) announce(tx *store.Tx) {
	if c.Table.pendingWrites.Recording() {
		var room [4]lag.Image
		was := append(room[:0], lag.Image{Key: c.Key, Value: c.Old, Found: c.Old != nil})
		c.Table.pendingWrites.Record(tx, lag.Table, nil, append(was, c.former...)...)
	}
}

// entryChange is what a change does to an item's entry in an index. A key is nil where there is no entry.
type entryChange struct {
	oldKey, newKey []byte
	old            item.Value
	moved          bool
}

// images is what was there before.
func (e entryChange) images() []lag.Image {
	var was []lag.Image
	if e.oldKey != nil {
		was = append(was, lag.Image{Key: e.oldKey, Value: e.old, Found: true})
	}
	if e.newKey != nil && e.moved {
		was = append(was, lag.Image{Key: e.newKey}) // no other item can have been there
	}
	return was
}

// announce lets a global index show the change in its time. A local one shows it when its table does.
func (x *Index) announce(tx *store.Tx, c *Change, e entryChange) {
	if x.Local {
		c.former = append(c.former, e.images()...)
		return
	}
	lane := append(binary.BigEndian.AppendUint32(make([]byte, 0, 4+len(c.Key)), x.ID), c.Key...)
	c.Table.pendingWrites.Record(tx, lag.Index, lane, e.images()...)
}
