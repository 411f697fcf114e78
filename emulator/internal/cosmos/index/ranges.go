package index

import (
	"bytes"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Range is the encoded values from low on, before high; without a high, to the end.
type Range struct{ Low, High []byte }

// RangesOf are the values of a path that meet all of some conditions, apart from each other and in order; points says
// that each range is of one value.
func RangesOf(conditions []sql.Condition) (ranges []Range, points bool) {
	ranges = []Range{{}}
	for i := range conditions {
		some, alone := rangesOfOne(&conditions[i])
		ranges, points = intersect(ranges, some), points || alone
	}
	return ranges, points
}

// rangesOfOne are the values that meet a condition, or more where values are too long to be told apart.
func rangesOfOne(c *sql.Condition) (ranges []Range, points bool) {
	switch c.Op {
	case sql.Eq, sql.In:
		for _, v := range c.Values {
			key, _ := doc.AppendKey(nil, v, MaxEntry)
			ranges = append(ranges, Range{key, store.PrefixEnd(key)})
		}
		slices.SortFunc(ranges, func(a, b Range) int { return bytes.Compare(a.Low, b.Low) })
		return slices.CompactFunc(ranges, func(a, b Range) bool { return bytes.Equal(a.Low, b.Low) }), true
	case sql.StartsWith:
		key := doc.AppendPrefixKey(nil, c.Values[0].Str(), MaxEntry)
		return []Range{{key, store.PrefixEnd(key)}}, false
	case sql.IsDefined:
		return []Range{{Low: doc.KindKey(doc.Null)}}, false
	case sql.NotDefined:
		return []Range{{doc.KindKey(doc.Undefined), doc.KindKey(doc.Null)}}, true
	}
	return []Range{compared(c.Op, c.Values[0])}, false
}

// compared are the values of a kind on one side of another.
func compared(op sql.Op, v doc.Value) Range {
	key, exact := doc.AppendKey(nil, v, MaxEntry)
	behind := store.PrefixEnd(key)
	r := Range{doc.KindKey(v.Kind()), doc.KindKey(v.Kind() + 1)}
	switch {
	case op == sql.Lt && exact:
		r.High = key
	case op == sql.Lt, op == sql.Le:
		r.High = behind
	case op == sql.Gt && exact:
		r.Low = behind
	case op == sql.Gt, op == sql.Ge:
		r.Low = key
	}
	return r
}

// intersect is what two lists of ranges, each in order and apart from each other, have in common: of such it takes one
// walk through both, as of two lists of thousands of values it must.
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
