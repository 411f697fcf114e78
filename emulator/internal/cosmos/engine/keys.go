package engine

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// The letters of the service's keys; package keyspace says what lies under each.
const (
	Space          = keyspace.Cosmos
	partMeta       = keyspace.CosmosCatalog
	partCounters   = keyspace.CosmosCounters
	partContainers = keyspace.CosmosContainers
	PartExpiry     = keyspace.CosmosExpiry
)

// The letters of what a container holds. The items lie in the order of creation, which is that of a query without ORDER
// BY.
const (
	LetterItem     = keyspace.ContainerItem
	letterIdentity = keyspace.ContainerIdentity
	LetterLatest   = keyspace.ContainerChangeFeed
	letterIndex    = keyspace.ContainerIndex
	LetterEntry    = keyspace.ContainerIndexEntry
	letterUnique   = keyspace.ContainerUniqueKey
)

// metaKey is the key of a thing that there is: its kind is a letter, its name may be anything.
func metaKey(kind byte, name []byte) []byte {
	return append([]byte{Space, partMeta, kind}, name...)
}

func countersKey(container uint32) []byte {
	return store.AppendUint32([]byte{Space, partCounters}, container)
}

// ContainerPrefix is what the keys of all that a container holds begin with.
func ContainerPrefix(container uint32) []byte {
	return store.AppendUint32([]byte{Space, partContainers}, container)
}

// letterAt is where the letter of what a container holds stands in a key.
const letterAt = 6

// Key returns what the keys under a letter begin with, in memory with room for more bytes.
func (c *Container) Key(letter byte, room int) []byte {
	key := make([]byte, 0, 7+room)
	key = append(key, Space, partContainers)
	return append(store.AppendUint32(key, c.Number), letter)
}

// ItemKey returns where the item of a rid lies.
func (c *Container) ItemKey(rid uint64) []byte {
	return store.AppendUint64(c.Key(LetterItem, 8), rid)
}

// feedKey is what the entries of an LSN in the change feed begin with.
func (c *Container) feedKey(lsn uint64) []byte {
	return store.AppendUint64(c.Key(LetterLatest, 16), lsn)
}

// latestKey is the key of an item's entry in the change feed.
func (c *Container) latestKey(i *Item) []byte {
	key := c.feedKey(i.LSN)
	if i.shared {
		key = store.AppendUint64(key, i.RID)
	}
	return key
}

// PartitionPrefix is what the identities of a logical partition begin with. The partition key itself stands behind its
// hash, lest two keys of one hash be taken for one.
func (c *Container) PartitionPrefix(epk doc.EPK, pk doc.PartitionKey) []byte {
	key := append(c.Key(letterIdentity, 64), epk...)
	return store.AppendEscaped(key, pk.Append(nil))
}

// IdentityKey returns where the rid of an item lies, by its partition key and id.
func (c *Container) IdentityKey(epk doc.EPK, pk doc.PartitionKey, id string) []byte {
	return append(c.PartitionPrefix(epk, pk), id...)
}
