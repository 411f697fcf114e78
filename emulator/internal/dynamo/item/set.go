package item

import "bytes"

// linearMembers is the size up to which sets are searched linearly. Larger ones get a table, so that a set of a hundred
// thousand members does not take quadratic time.
const linearMembers = 16

// memberTable looks up members of a set.
type memberTable struct {
	members []byte
	table   map[string]struct{} // nil for a small set
}

// newMemberTable returns a table of a sequence of members, for many lookups.
func newMemberTable(members []byte) memberTable {
	t := memberTable{members: members}
	n := 0
	for rest := members; len(rest) > 0 && n <= linearMembers; n++ {
		_, rest = splitText(rest)
	}
	if n <= linearMembers {
		return t
	}
	t.table = make(map[string]struct{})
	for rest := members; len(rest) > 0; {
		var m []byte
		m, rest = splitText(rest)
		t.table[string(m)] = struct{}{}
	}
	return t
}

func (t memberTable) has(m []byte) bool {
	if t.table == nil {
		return hasMember(t.members, m)
	}
	_, ok := t.table[string(m)]
	return ok
}

// hasMember searches a sequence of members.
func hasMember(members, member []byte) bool {
	for len(members) > 0 {
		var m []byte
		if m, members = splitText(members); bytes.Equal(m, member) {
			return true
		}
	}
	return false
}

// hasAll reports whether every member of a set is in the table.
func (t memberTable) hasAll(set Value) bool {
	for rest := set.Bytes(); len(rest) > 0; {
		var m []byte
		if m, rest = splitText(rest); !t.has(m) {
			return false
		}
	}
	return true
}

// Contains reports whether a set has the member, or a list the element.
func (v Value) Contains(e Value) bool {
	t := v.Type()
	if t.IsSet() {
		return e.Type() == t.member() && hasMember(v.Bytes(), e.Bytes())
	}
	if t != List {
		return false
	}
	for rest := v.Bytes(); len(rest) > 0; {
		var x Value
		if x, rest = split(rest); Equal(x, e) {
			return true
		}
	}
	return false
}

// Union returns the union of two sets of one type.
func Union(a, b Value) Value {
	t := a.Type().member()
	dst, at := AppendOpen(make([]byte, 0, len(a)+len(b)), a.Type())
	x, y := sortedMembers(t, a.Bytes()), sortedMembers(t, b.Bytes())
	for len(x) > 0 && len(y) > 0 {
		m, afterM := splitText(x)
		n, afterN := splitText(y)
		c := compareMembers(t, m, n)
		if c > 0 {
			m = n
		}
		dst = appendText(dst, m)
		if c <= 0 {
			x = afterM
		}
		if c >= 0 {
			y = afterN
		}
	}
	return AppendClose(append(append(dst, x...), y...), at)
}

// Difference returns the members of a that are not in b, two sets of one type. The result may be empty, which no stored
// set may be.
func Difference(a, b Value) Value {
	t := a.Type().member()
	dst, at := AppendOpen(make([]byte, 0, len(a)), a.Type())
	x, y := sortedMembers(t, a.Bytes()), sortedMembers(t, b.Bytes())
	for len(x) > 0 && len(y) > 0 {
		m, afterM := splitText(x)
		n, afterN := splitText(y)
		c := compareMembers(t, m, n)
		if c < 0 {
			dst = appendText(dst, m)
		}
		if c <= 0 {
			x = afterM
		}
		if c >= 0 {
			y = afterN
		}
	}
	return AppendClose(append(dst, x...), at)
}
