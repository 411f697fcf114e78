package sql

import (
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// asReadBack replaces undefined array elements in rows by null, as they are written. Thus DISTINCT treats rows that
// look equal as equal, and GROUP BY such keys, also after they were restored from a State.
func asReadBack(row eval) eval {
	return func(f *frame) doc.Value { return asRead(row(f)) }
}

func asRead(v doc.Value) doc.Value {
	if !holdsUndefined(v) {
		return v
	}
	if v.Kind() == doc.Map {
		members := slices.Clone(v.Members())
		for i := range members {
			members[i].Value = asRead(members[i].Value)
		}
		return doc.Object(members...)
	}
	elements := slices.Clone(v.Elements())
	for i, e := range elements {
		if elements[i] = asRead(e); !e.Defined() {
			elements[i] = doc.NullValue()
		}
	}
	return doc.Array(elements...)
}

func holdsUndefined(v doc.Value) bool {
	return slices.ContainsFunc(v.Elements(), func(e doc.Value) bool { return !e.Defined() || holdsUndefined(e) }) ||
		slices.ContainsFunc(v.Members(), func(m doc.Member) bool { return holdsUndefined(m.Value) })
}
