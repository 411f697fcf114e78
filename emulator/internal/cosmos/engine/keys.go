package engine

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Space is the letter under which all of Cosmos DB lies in the store. Behind it come
//
//	'm' kind, key                    what there is: databases, containers, offers, users …, as JSON
//	'n' container                    its counters: how far its numbers are taken
//	'e' second, container, rid       the item whose life ends then
//	'd' container, letter, …         what a container holds:
//	    'd' rid                      an item, in the order of creation: the order of a query that asks for none
//	    'i' EPK, partition key, id   the rid of an item: point reads, and the list of a logical partition
//	    'u' EPK, partition key, entry  the id of the item that has a unique key: see unique_key.go
//	    's' kind, id                 a script
//	    'l' lsn                      the rid of the item whose latest change this is: the change feed
//	    'l' lsn, rid                 likewise, where the transaction changed several items
//	    'k' index                    what an index is of
//	    'x' index, value, rid        an entry of an index, and the item's EPK; of one that is scoped to logical partitions the
//	                                 EPK stands before the value
const Space = 'z'

const (
	partMeta       = 'm'
	partCounters   = 'n'
	partContainers = 'd'
	PartExpiry     = 'e'
)

// The letters of what a container holds.
const (
	LetterItem     = 'd'
	letterIdentity = 'i'
	LetterLatest   = 'l'
	letterIndex    = 'k'
	LetterEntry    = 'x'
	letterUnique   = 'u'
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
