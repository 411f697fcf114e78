// Package keyspace declares every key space of the store: the bytes that its keys begin with, and what it holds. All
// services share one store, so a letter is taken here, where a test sees that it is free, and nowhere else.
//
// A letter is stored: it never changes its meaning, and one that is no longer used is not given away.
package keyspace
