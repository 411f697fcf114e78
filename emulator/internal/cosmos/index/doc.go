// Package index provides the rules of indexes: the indexing policy of a container, what an index covers, and which
// ranges of its entries match a condition. Package engine stores the entries.
package index
