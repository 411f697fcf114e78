// Package engine keeps what an account holds: databases, containers, physical partitions, items, and what follows from
// a write of an item.
//
// Everything lies under one letter of the store; see keys.go. A write changes an item, its place in the list of latest
// changes, its index entries and its unique keys in one commit, under a latch on its logical partition: see
// [Transaction].
package engine
