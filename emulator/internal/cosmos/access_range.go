package cosmos

import (
	"bytes"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// valueRange is the encoded values from low on, before high; without a high, to the end.
type valueRange struct{ low, high []byte }

// rangesOf are the values of a path that meet all of some conditions, apart from each other and in order; points says that
// each range is of one value.
func rangesOf(conditions []sql.Condition) (ranges []valueRange, points bool) {
	ranges = []valueRange{{}}
	for i := range conditions {
		some, alone := rangesOfOne(&conditions[i])
		ranges, points = intersect(ranges, some), points || alone
	}
	return ranges, points
}

// rangesOfOne are the values that meet a condition, or more where values are too long to be told apart.
func rangesOfOne(c *sql.Condition) (ranges []valueRange, points bool) {
	switch c.Op {
	case sql.Eq, sql.In:
		for _, v := range c.Values {
			key, _ := doc.AppendKey(nil, v, maxEntry)
			ranges = append(ranges, valueRange{key, store.PrefixEnd(key)})
		}
		slices.SortFunc(ranges, func(a, b valueRange) int { return bytes.Compare(a.low, b.low) })
		return slices.CompactFunc(ranges, func(a, b valueRange) bool { return bytes.Equal(a.low, b.low) }), true
	case sql.StartsWith:
		key := doc.AppendPrefixKey(nil, c.Values[0].Str(), maxEntry)
		return []valueRange{{key, store.PrefixEnd(key)}}, false
	case sql.IsDefined:
		return []valueRange{{low: doc.KindKey(doc.Null)}}, false
	case sql.NotDefined:
		return []valueRange{{doc.KindKey(doc.Undefined), doc.KindKey(doc.Null)}}, true
	}
	return []valueRange{compared(c.Op, c.Values[0])}, false
}

// compared are the values of a kind on one side of another.
func compared(op sql.Op, v doc.Value) valueRange {
	key, exact := doc.AppendKey(nil, v, maxEntry)
	behind := store.PrefixEnd(key)
	r := valueRange{doc.KindKey(v.Kind()), doc.KindKey(v.Kind() + 1)}
	switch {
	case op == sql.Lt && exact:
		r.high = key
	case op == sql.Lt, op == sql.Le:
		r.high = behind
	case op == sql.Gt && exact:
		r.low = behind
	case op == sql.Gt, op == sql.Ge:
		r.low = key
	}
	return r
}

// intersect is what two lists of ranges, each in order and apart from each other, have in common: of such it takes one walk
// through both, as of two lists of thousands of values it must.
func intersect(a, b []valueRange) []valueRange {
	var common []valueRange
	for len(a) > 0 && len(b) > 0 {
		both := a[0]
		if bytes.Compare(b[0].low, both.low) > 0 {
			both.low = b[0].low
		}
		first := b[0].high != nil && (both.high == nil || bytes.Compare(b[0].high, both.high) < 0)
		if first {
			both.high = b[0].high
		}
		if both.high == nil || bytes.Compare(both.low, both.high) < 0 {
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
