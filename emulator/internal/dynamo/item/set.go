package item

import "bytes"

// linearMembers is how many members a set is searched through one by one; larger ones get a table, so
// that no set of a hundred thousand members takes quadratic time.
const linearMembers = 16

// memberTable answers whether a text is a member of a set.
type memberTable struct {
	members []byte
	table   map[string]struct{} // nil while the set is small
}

// tabulate prepares the sequence of members for many questions.
func tabulate(members []byte) memberTable {
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
func hasMember(members, wanted []byte) bool {
	for len(members) > 0 {
		var m []byte
		if m, members = splitText(members); bytes.Equal(m, wanted) {
			return true
		}
	}
	return false
}

// hasDuplicates says whether a sequence has a member twice.
func hasDuplicates(members []byte) bool {
	n := 0
	for rest := members; len(rest) > 0; n++ {
		_, rest = splitText(rest)
	}
	if n > linearMembers {
		return len(tabulate(members).table) < n
	}
	for len(members) > 0 {
		var m []byte
		if m, members = splitText(members); hasMember(members, m) {
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

// Contains says whether the set has the member, or the list the element.
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

// Union is the set of what is in a or b, two sets of one type: a's members first.
func Union(a, b Value) Value {
	return closeContainer(appendMissing(bytes.Clone(a), b, a), 0)
}

// Difference is the set of what is in a and not in b, two sets of one type. It may have no members, which
// no stored set may.
func Difference(a, b Value) Value {
	dst, at := openContainer(nil, a.Type())
	return closeContainer(appendMissing(dst, a, b), at)
}

// appendMissing appends the members of from that are not in known.
func appendMissing(dst []byte, from, known Value) []byte {
	table := tabulate(known.Bytes())
	for rest := from.Bytes(); len(rest) > 0; {
		var m []byte
		if m, rest = splitText(rest); !table.has(m) {
			dst = appendText(dst, m)
		}
	}
	return dst
}
