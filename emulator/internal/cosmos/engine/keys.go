package engine

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// The letters of the service's keys; package keyspace documents what each holds.
const (
	Space          = keyspace.Cosmos
	partMeta       = keyspace.CosmosCatalog
	partCounters   = keyspace.CosmosCounters
	partContainers = keyspace.CosmosContainers
	PartExpiry     = keyspace.CosmosExpiry
)

// The letters of a container's content. Items are stored in order of creation, which is the order of a query without
// ORDER BY.
const (
	LetterItem       = keyspace.ContainerItem
	letterIdentity   = keyspace.ContainerIdentity
	LetterChangeFeed = keyspace.ContainerChangeFeed
	letterIndex      = keyspace.ContainerIndex
	LetterEntry      = keyspace.ContainerIndexEntry
	letterUnique     = keyspace.ContainerUniqueKey
)

func countersKey(container uint32) []byte {
	return store.AppendUint32([]byte{Space, partCounters}, container)
}

// ContainerPrefix returns the prefix of all keys of a container's content.
func ContainerPrefix(container uint32) []byte {
	return store.AppendUint32([]byte{Space, partContainers}, container)
}

// letterAt is the index, in a key, of the letter of a container's content.
const letterAt = 6

// Key returns the prefix of the keys under a letter, with room for capacity more bytes.
func (c *Container) Key(letter byte, capacity int) []byte {
	return c.AppendKey(make([]byte, 0, 7+capacity), letter)
}

// AppendKey appends the prefix of the keys under a letter.
func (c *Container) AppendKey(dst []byte, letter byte) []byte {
	return append(store.AppendUint32(append(dst, Space, partContainers), c.Number), letter)
}

// ItemKey returns the key of the item with a rid.
func (c *Container) ItemKey(rid uint64) []byte {
	return store.AppendUint64(c.Key(LetterItem, 8), rid)
}

// changeFeedPrefix returns the prefix of an LSN's entries in the change feed.
func (c *Container) changeFeedPrefix(lsn uint64) []byte {
	return store.AppendUint64(c.Key(LetterChangeFeed, 16), lsn)
}

// IdentityPrefix returns the prefix of the identities of a logical partition. The partition key follows its hash, so
// that two keys with the same hash stay distinct.
func (c *Container) IdentityPrefix(epk doc.EPK, pk doc.PartitionKey) []byte {
	key := append(c.Key(letterIdentity, 64), epk...)
	return store.AppendEscaped(key, pk.Append(nil))
}

// IdentityKey returns the key that holds the rid of an item, by its partition key and id.
func (c *Container) IdentityKey(epk doc.EPK, pk doc.PartitionKey, id string) []byte {
	return append(c.IdentityPrefix(epk, pk), id...)
}

// logBit is set in the numbers of containers' logs, because DynamoDB's tables use the same numbers.
const logBit = keyspace.CosmosLog

func (c *Container) indexKey(number uint32) []byte {
	return store.AppendUint32(c.Key(letterIndex, 4), number)
}
