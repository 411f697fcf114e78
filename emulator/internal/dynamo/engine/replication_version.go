package engine

import (
	"bytes"
	"encoding/binary"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// The last writer wins: of two writes of an item in different regions, all replicas keep the one with the higher
// version. A version is the time of the write, in nanoseconds since 1970 and eight bytes, and its region, which decides
// between writes of the same time. A write of an item is always later than the version that it replaces, even if
// the clock was set back by a restart. A deleted item keeps its version.
//
// Items have versions only where replicas lag: without lag, a write is in all replicas at once.

// versionKey returns the store key of an item's version.
func versionKey(itemKey []byte) []byte { return append([]byte{spaceVersions}, itemKey[1:]...) }

// version returns the version of an item, nil if it has none. The memory is the store's.
func version(tx *store.Tx, itemKey []byte) ([]byte, error) {
	v, _, err := tx.Get(versionKey(itemKey))
	return v, err
}

// raiseVersion gives an item the version of a write now, in a region.
func raiseVersion(tx *store.Tx, itemKey []byte, now int64, region string) error {
	previous, err := version(tx, itemKey)
	if err != nil {
		return err
	}
	at := uint64(now)
	if len(previous) >= 8 {
		at = max(at, binary.BigEndian.Uint64(previous)+1)
	}
	return tx.Set(versionKey(itemKey), append(binary.BigEndian.AppendUint64(nil, at), region...))
}

// copyItem makes an item in the replica to the same as in the replica from, unless the version there is higher. It
// returns the change, nil if there is none. r is the write that it repeats; nil: a new replica is filled, which costs
// no capacity. The transaction has the latches of both items, or is alone in both tables.
func copyItem(tx *store.Tx, from, to *Table, key []byte, r *arrival) (*Change, error) {
	source := replicaKey(from.Def.ID, key)
	c := &Change{Table: to, Key: replicaKey(to.Def.ID, key), spread: fromReplica, arrival: r}
	here, err := version(tx, source)
	if err != nil {
		return nil, err
	}
	there, err := version(tx, c.Key)
	if err != nil || bytes.Compare(there, here) > 0 {
		return nil, err
	}
	value, _, err := tx.Get(source)
	if err != nil {
		return nil, err
	}
	c.Next = func(item.Value) (item.Value, error) { return item.Value(value), nil }
	if to.logImages.author {
		c.Author = to.Def.replicationAuthor(from.Def.Region())
	}
	if here != nil {
		if err := tx.Set(versionKey(c.Key), here); err != nil {
			return nil, err
		}
	}
	return c, c.Run(tx)
}

// versionSpan returns the range of the versions of a table's items.
func versionSpan(table uint32) (lo, hi []byte) {
	lo = binary.BigEndian.AppendUint32([]byte{spaceVersions}, table)
	return lo, store.PrefixEnd(lo)
}
