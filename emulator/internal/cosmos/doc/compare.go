package doc

import (
	"cmp"
	"slices"
	"strings"
)

// Compare orders two values: by type, then by value. Strings are compared by bytes, arrays element by element. Objects
// are compared by their members, sorted by name: the service documents no order of objects.
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

// Equal reports whether two values are equal. The order of an object's members does not matter.
func Equal(a, b Value) bool { return Compare(a, b) == 0 }
