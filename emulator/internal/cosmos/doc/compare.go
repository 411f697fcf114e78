package doc

import (
	"cmp"
	"slices"
	"strings"
)

// Compare orders two values: by type, then by value; strings by their bytes, arrays element by element. Objects are
// ordered by their members in the order of their names: a choice of ours, for the service documents no order of them.
func Compare(a, b Value) int {
	if a.kind != b.kind {
		return cmp.Compare(a.kind, b.kind)
	}
	switch a.kind {
	case Boolean, Numeric:
		return cmp.Compare(a.num, b.num)
	case Text:
		return strings.Compare(a.str, b.str)
	case List:
		return slices.CompareFunc(a.list, b.list, Compare)
	case Map:
		return compareObjects(a.members, b.members)
	}
	return 0
}

func compareObjects(a, b []Member) int {
	return slices.CompareFunc(byName(a), byName(b), func(x, y Member) int {
		return cmp.Or(strings.Compare(x.Name, y.Name), Compare(x.Value, y.Value))
	})
}

func byName(members []Member) []Member {
	order := func(x, y Member) int { return strings.Compare(x.Name, y.Name) }
	if slices.IsSortedFunc(members, order) {
		return members
	}
	return slices.SortedFunc(slices.Values(members), order)
}

// Equal says whether two values are the same. The order of an object's members does not matter.
func Equal(a, b Value) bool { return Compare(a, b) == 0 }
