package cosmos

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// The letters of the service's keys; package keyspace says what lies under each.
const (
	space          = keyspace.Cosmos
	partMeta       = keyspace.CosmosCatalog
	partCounters   = keyspace.CosmosCounters
	partContainers = keyspace.CosmosContainers
	partExpiry     = keyspace.CosmosExpiry
)

// The letters of what a container holds. The items lie in the order of creation, which is that of a query without ORDER BY.
const (
	letterItem     = keyspace.ContainerItem
	letterIdentity = keyspace.ContainerIdentity
	letterLatest   = keyspace.ContainerChangeFeed
	letterIndex    = keyspace.ContainerIndex
	letterEntry    = keyspace.ContainerIndexEntry
	letterUnique   = keyspace.ContainerUniqueKey
)

// metaKey is the key of a thing that there is: its kind is a letter, its name may be anything.
func metaKey(kind byte, name []byte) []byte {
	return append([]byte{space, partMeta, kind}, name...)
}

func countersKey(container uint32) []byte {
	return store.AppendUint32([]byte{space, partCounters}, container)
}

// containerPrefix is what the keys of all that a container holds begin with.
func containerPrefix(container uint32) []byte {
	return store.AppendUint32([]byte{space, partContainers}, container)
}

// letterAt is where the letter of what a container holds stands in a key.
const letterAt = 6

func (c *container) key(letter byte, room int) []byte {
	key := make([]byte, 0, 7+room)
	key = append(key, space, partContainers)
	return append(store.AppendUint32(key, c.number), letter)
}

func (c *container) itemKey(rid uint64) []byte {
	return store.AppendUint64(c.key(letterItem, 8), rid)
}

// feedKey is what the entries of an LSN in the change feed begin with.
func (c *container) feedKey(lsn uint64) []byte {
	return store.AppendUint64(c.key(letterLatest, 16), lsn)
}

// latestKey is the key of an item's entry in the change feed.
func (c *container) latestKey(i *item) []byte {
	key := c.feedKey(i.lsn)
	if i.shared {
		key = store.AppendUint64(key, i.rid)
	}
	return key
}

// partitionPrefix is what the identities of a logical partition begin with. The partition key itself stands behind its
// hash, lest two keys of one hash be taken for one.
func (c *container) partitionPrefix(epk doc.EPK, pk doc.PartitionKey) []byte {
	key := append(c.key(letterIdentity, 64), epk...)
	return store.AppendEscaped(key, pk.Append(nil))
}

func (c *container) identityKey(epk doc.EPK, pk doc.PartitionKey, id string) []byte {
	return append(c.partitionPrefix(epk, pk), id...)
}
