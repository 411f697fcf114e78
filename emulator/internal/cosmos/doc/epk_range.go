package doc

import (
	"bytes"
	"slices"
)

// EPKRange is a range of the hash space: the effective partition keys from Low on, before High.
type EPKRange struct{ Low, High EPK }

// WholeRange is the whole hash space.
func WholeRange() EPKRange { return EPKRange{High: MaxEPK()} }

// Meet returns what two ranges have in common, which is empty where they have nothing.
func Meet(a, b EPKRange) EPKRange {
	return EPKRange{Low: slices.MaxFunc([]EPK{a.Low, b.Low}, CompareEPK), High: slices.MinFunc([]EPK{a.High, b.High}, CompareEPK)}
}

// Holds reports whether an effective partition key is in the range.
func (r EPKRange) Holds(e EPK) bool {
	return bytes.Compare(r.Low, e) <= 0 && bytes.Compare(e, r.High) < 0
}

// Empty reports whether no effective partition key is in the range.
func (r EPKRange) Empty() bool { return bytes.Compare(r.Low, r.High) >= 0 }

// Single reports whether the range is of one effective partition key.
func (r EPKRange) Single() bool {
	n := len(r.Low)
	return n > 0 && len(r.High) == n+1 && r.High[n] == 0 && bytes.Equal(r.High[:n], r.Low)
}

// CompareEPK compares effective partition keys in the order of the hash space.
func CompareEPK(a, b EPK) int { return bytes.Compare(a, b) }
