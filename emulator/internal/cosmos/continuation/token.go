// Package continuation encodes and decodes continuation tokens, with which a client asks for the next page of a query
// or a feed.
package continuation

import "github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"

// Token is the position at which a query continues: the parts of the hash space that it has not finished, and the state
// in each. What follows the last part has not begun.
//
// A token names no physical partition: after a split, the query continues in the child partitions.
type Token struct {
	Owner   string  // what the query reads: a container's resource id, or the name of another list
	Query   [8]byte // the query's fingerprint
	Pending []Part
}

// Part is a part of the hash space that a query has not finished.
type Part struct {
	doc.EPKRange
	State []byte // of the query in the part; empty: it has not begun
}

// SameQuery reports whether two tokens are of the same query on the same data.
func (t *Token) SameQuery(other *Token) bool { return t.Owner == other.Owner && t.Query == other.Query }
