package doc

import (
	"bytes"
	"slices"
)

// EPKRange is a range of effective partition keys, from Low up to but not including High.
type EPKRange struct{ Low, High EPK }

// FullRange returns the whole hash space.
func FullRange() EPKRange { return EPKRange{High: MaxEPK()} }

// Intersect returns the intersection of two ranges, which may be empty.
func Intersect(a, b EPKRange) EPKRange {
	return EPKRange{Low: slices.MaxFunc([]EPK{a.Low, b.Low}, CompareEPK),
		High: slices.MinFunc([]EPK{a.High, b.High}, CompareEPK)}
}

// Contains reports whether the range contains an effective partition key.
func (r EPKRange) Contains(e EPK) bool {
	return bytes.Compare(r.Low, e) <= 0 && bytes.Compare(e, r.High) < 0
}

// Empty reports whether the range contains no effective partition key.
func (r EPKRange) Empty() bool { return bytes.Compare(r.Low, r.High) >= 0 }

// IsSingleKey reports whether the range contains exactly one effective partition key.
func (r EPKRange) IsSingleKey() bool {
	n := len(r.Low)
	return n > 0 && len(r.High) == n+1 && r.High[n] == 0 && bytes.Equal(r.High[:n], r.Low)
}

// CompareEPK compares effective partition keys in the order of the hash space.
func CompareEPK(a, b EPK) int { return bytes.Compare(a, b) }
