// Package continuation reads and writes the tokens by which a client asks for the next page of a query or a feed.
package continuation

import "github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"

// Token is where a query goes on: the parts of the hash space that are still to be read, and from where in each. What
// follows the last of them is still to be read from its beginning.
//
// It names no physical partition: a query of a partition that was split since goes on in those that it became.
type Token struct {
	Owner   string  // what the query reads: a container's resource id, or the name of another list
	Query   [8]byte // the query's fingerprint
	Pending []Part
}

// Part is a part of the hash space that a query has not read to its end.
type Part struct {
	doc.EPKRange
	State []byte // of the query in it; empty: it has not begun
}

// SameQuery reports whether two tokens are of the same query on the same data.
func (t *Token) SameQuery(other *Token) bool { return t.Owner == other.Owner && t.Query == other.Query }
