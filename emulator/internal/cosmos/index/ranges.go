package index

import (
	"bytes"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Range is a range of encoded values, from Low up to but not including High; a nil High means no upper bound.
type Range struct{ Low, High []byte }

// RangesOf returns the values at a path that meet all conditions, as sorted, disjoint ranges. points reports whether
// each range is a single value.
func RangesOf(conditions []sql.Condition) (ranges []Range, points bool) {
	ranges = []Range{{}}
	for i := range conditions {
		some, single := conditionRanges(&conditions[i])
		ranges, points = intersect(ranges, some), points || single
	}
	return ranges, points
}

// conditionRanges returns the values that meet a condition. It returns more if values are too long to be distinguished.
func conditionRanges(c *sql.Condition) (ranges []Range, points bool) {
	switch c.Op {
	case sql.Eq, sql.In:
		for _, v := range c.Values {
			key, _ := doc.AppendKey(nil, v, MaxEntryBytes)
			ranges = append(ranges, Range{key, store.PrefixEnd(key)})
		}
		slices.SortFunc(ranges, func(a, b Range) int { return bytes.Compare(a.Low, b.Low) })
		return slices.CompactFunc(ranges, func(a, b Range) bool { return bytes.Equal(a.Low, b.Low) }), true
	case sql.StartsWith:
		key := doc.AppendPrefixKey(nil, c.Values[0].Str(), MaxEntryBytes)
		return []Range{{key, store.PrefixEnd(key)}}, false
	case sql.IsDefined:
		return []Range{{Low: doc.KindKey(doc.Null)}}, false
	case sql.NotDefined:
		return []Range{{doc.KindKey(doc.Undefined), doc.KindKey(doc.Null)}}, true
	}
	return []Range{comparisonRange(c.Op, c.Values[0])}, false
}

// comparisonRange returns the values of v's type on one side of v.
func comparisonRange(op sql.Op, v doc.Value) Range {
	key, exact := doc.AppendKey(nil, v, MaxEntryBytes)
	after := store.PrefixEnd(key)
	r := Range{doc.KindKey(v.Kind()), doc.KindKey(v.Kind() + 1)}
	switch {
	case op == sql.Lt && exact:
		r.High = key
	case op == sql.Lt, op == sql.Le:
		r.High = after
	case op == sql.Gt && exact:
		r.Low = after
	case op == sql.Gt, op == sql.Ge:
		r.Low = key
	}
	return r
}

// intersect returns the intersection of two lists of sorted, disjoint ranges. It runs in linear time, because the lists
// may have thousands of ranges.
func intersect(a, b []Range) []Range {
	var common []Range
	for len(a) > 0 && len(b) > 0 {
		both := a[0]
		if bytes.Compare(b[0].Low, both.Low) > 0 {
			both.Low = b[0].Low
		}
		first := b[0].High != nil && (both.High == nil || bytes.Compare(b[0].High, both.High) < 0)
		if first {
			both.High = b[0].High
		}
		if both.High == nil || bytes.Compare(both.Low, both.High) < 0 {
			common = append(common, both)
		}
		if first {
			b = b[1:]
		} else {
			a = a[1:]
		}
	}
	return common
}
