package sql

import (
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// normalizeUndefined replaces undefined array elements in rows by null, as they are written. Thus DISTINCT treats rows
// that look equal as equal, and GROUP BY such keys, also after they were restored from a State.
func normalizeUndefined(row eval) eval {
	return func(f *frame) doc.Value { return f.nullForUndefined(row(f)) }
}

// nullForUndefined returns a row, or a copy of it with null for undefined elements.
func (f *frame) nullForUndefined(v doc.Value) doc.Value {
	if !containsUndefined(v) || !f.grow(wholeBytes(&v)) {
		return v
	}
	return nullForUndefined(v)
}

func nullForUndefined(v doc.Value) doc.Value {
	if !containsUndefined(v) {
		return v
	}
	if v.Kind() == doc.Map {
		members := slices.Clone(v.Members())
		for i := range members {
			members[i].Value = nullForUndefined(members[i].Value)
		}
		return doc.Object(members...)
	}
	elements := slices.Clone(v.Elements())
	for i, e := range elements {
		if elements[i] = nullForUndefined(e); !e.Defined() {
			elements[i] = doc.NullValue()
		}
	}
	return doc.Array(elements...)
}

func containsUndefined(v doc.Value) bool {
	return slices.ContainsFunc(v.Elements(), func(e doc.Value) bool { return !e.Defined() || containsUndefined(e) }) ||
		slices.ContainsFunc(v.Members(), func(m doc.Member) bool { return containsUndefined(m.Value) })
}
