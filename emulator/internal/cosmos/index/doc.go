// Package index has the rules of indexes: the indexing policy of a container, what an index is of, and which of its
// entries meet a condition. The entries themselves are kept by package engine.
package index
