package dynamo

import (
	"encoding/binary"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// replica is who answers a read of a table: the leader, which is current, a consistent one; one of three by chance another.
func (c *request) replica(consistent bool) lag.Replica {
	switch {
	case consistent:
		return lag.Leader
	case c.stale:
		return lag.Oldest
	}
	return c.service.pendingWrites.Pick()
}

// replicaOf is who answers a Query or a Scan. A local index follows its table; a global one has one view, which all see.
func (c *request) replicaOf(s *source, consistent bool) lag.Replica {
	switch {
	case s.index == nil || s.index.local:
		return c.replica(consistent)
	case c.stale:
		return lag.Oldest
	case c.service.pendingWrites.Lagging():
		return lag.Second
	}
	return lag.Leader
}

// announce lets the replicas of the table, and of its local indexes, show the change in their time.
func (c *change) announce(tx *store.Tx) {
	if c.table.pendingWrites.Recording() {
		var room [4]lag.Image
		was := append(room[:0], lag.Image{Key: c.key, Value: c.old, Found: c.old != nil})
		c.table.pendingWrites.Record(tx, lag.Table, nil, append(was, c.former...)...)
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
func (x *index) announce(tx *store.Tx, c *change, e entryChange) {
	if x.local {
		c.former = append(c.former, e.images()...)
		return
	}
	lane := append(binary.BigEndian.AppendUint32(make([]byte, 0, 4+len(c.key)), x.id), c.key...)
	c.table.pendingWrites.Record(tx, lag.Index, lane, e.images()...)
}
