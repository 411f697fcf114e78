// Package engine holds the content of a Cosmos DB account: databases, containers, physical partitions and items, and
// everything a write of an item updates.
//
// All keys begin with one letter of the store; see keys.go. A write updates the item, its entry in the change feed, its
// index entries, its unique keys and its expiry entry in one commit, under a latch on its logical partition: see
// [Transaction].
//
// Container definitions change under the gate of the [Catalog]. Operations that rely on a definition pass the gate of
// their [Container], which such a change closes.
package engine
