// Package keyspace declares every key space of the store: the bytes that its keys begin with, and what it holds. All
// services share one store, so prefix letters are allocated only here, where a test checks that each is free.
//
// Letters are stored in data folders: a letter never changes its meaning, and one that is no longer used is not reused.
package keyspace
