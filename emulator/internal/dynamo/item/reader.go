package item

import (
	"bytes"
	"cmp"
	"slices"
	"sort"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
)

// Reader looks up parts of one item, and remembers what speeds up later lookups: after a few lookups it indexes the
// entries of large maps and lists and the members of large sets, so that an expression of many paths does not take
// quadratic time on a wide item. It counts its work against a budget. The zero Reader is ready for use. The item must
// not change while it is used.
type Reader struct {
	Budget *budget.Budget // nil: no limit

	lookups int
	offsets map[*byte][]uint32
	members map[*byte]memberTable
}

const (
	// maxScannedLookups is the number of lookups in large values that scan from the front, without an index.
	maxScannedLookups = 8
	// largeValue is the length in bytes from which maps and lists are indexed, and comparisons of sets are counted.
	largeValue = 4096
	// bytesPerStep is how many bytes of values count as one budget step.
	bytesPerStep = 16
)

// Step counts work against the budget and reports whether more is allowed.
func (r *Reader) Step(n int) bool { return r.Budget.Step(n) == nil }

// stepOver counts one pass over a value.
func (r *Reader) stepOver(v Value) { _ = r.Budget.Step(1 + len(v)/bytesPerStep) }

// Field returns the entry name of a map.
func (r *Reader) Field(v Value, name string) (Value, bool) {
	if len(v) < largeValue {
		return v.Field(name)
	}
	return r.fieldOfLarge(v, name)
}

func (r *Reader) fieldOfLarge(v Value, name string) (Value, bool) {
	if v.Type() != Map || !r.useIndex(v) {
		return v.Field(name)
	}
	offsets := r.offsetsOf(v)
	i := sort.Search(len(offsets), func(i int) bool {
		key, _ := splitText(v[offsets[i]:])
		return string(key) >= name
	})
	if i == len(offsets) {
		return nil, false
	}
	key, rest := splitText(v[offsets[i]:])
	if string(key) != name {
		return nil, false
	}
	found, _ := split(rest)
	return found, true
}

// Index returns element i of a list, counted from 0.
func (r *Reader) Index(v Value, i int) (Value, bool) {
	if len(v) < largeValue || v.Type() != List || !r.useIndex(v) {
		return v.Index(i)
	}
	offsets := r.offsetsOf(v)
	if i < 0 || i >= len(offsets) {
		return nil, false
	}
	found, _ := split(v[offsets[i]:])
	return found, true
}

// useIndex reports whether a lookup in a large container uses an index.
func (r *Reader) useIndex(v Value) bool {
	if r.lookups++; r.lookups > maxScannedLookups {
		return true
	}
	r.stepOver(v)
	return false
}

// offsetsOf returns the offsets of the entries of a map or the elements of a list.
func (r *Reader) offsetsOf(v Value) []uint32 {
	id := &v[0]
	offsets, cached := r.offsets[id]
	if cached {
		_ = r.Budget.Step(1)
		return offsets
	}
	r.stepOver(v)
	isMap := v.Type() == Map
	for rest := []byte(v[containerHeader:]); len(rest) > 0; {
		offsets = append(offsets, uint32(len(v)-len(rest)))
		if isMap {
			_, rest = splitText(rest)
		}
		_, rest = split(rest)
	}
	if r.offsets == nil {
		r.offsets = map[*byte][]uint32{}
	}
	r.offsets[id] = offsets
	return offsets
}

// Equal reports whether two values are equal, like the function Equal.
func (r *Reader) Equal(a, b Value) bool {
	if a.Type() != b.Type() || len(a) != len(b) {
		return false
	}
	if len(a) >= largeValue {
		r.stepOver(a)
	}
	if bytes.Equal(a, b) {
		return true
	}
	switch t := a.Type(); {
	case t.IsSet():
		return a.Len() == b.Len() && r.memberTable(b).hasAll(a)
	case t == List:
		return r.equalSequences(a.Bytes(), b.Bytes())
	case t == Map:
		return r.equalMaps(a.Bytes(), b.Bytes())
	}
	return false
}

// memberTable returns the members of a set, prepared for lookups.
func (r *Reader) memberTable(set Value) memberTable {
	if len(set) < largeValue {
		return newMemberTable(set.Bytes())
	}
	id := &set[0]
	t, cached := r.members[id]
	if !cached {
		t = newMemberTable(set.Bytes())
		if r.members == nil {
			r.members = map[*byte]memberTable{}
		}
		r.members[id] = t
	}
	return t
}

func (r *Reader) equalSequences(a, b []byte) bool {
	for len(a) > 0 && len(b) > 0 {
		var x, y Value
		x, a = split(a)
		y, b = split(b)
		if !r.Equal(x, y) {
			return false
		}
	}
	return len(a) == len(b)
}

func (r *Reader) equalMaps(a, b []byte) bool {
	for len(a) > 0 && len(b) > 0 {
		var nameA, nameB []byte
		var x, y Value
		nameA, a = splitText(a)
		nameB, b = splitText(b)
		x, a = split(a)
		y, b = split(b)
		if !bytes.Equal(nameA, nameB) || !r.Equal(x, y) {
			return false
		}
	}
	return len(a) == len(b)
}

// Contains reports whether a set has the member, or a list the element.
func (r *Reader) Contains(v, e Value) bool {
	r.stepOver(v)
	if v.Type() != List {
		return v.Contains(e)
	}
	for rest := v.Bytes(); len(rest) > 0; {
		var x Value
		if x, rest = split(rest); r.Equal(x, e) {
			return true
		}
	}
	return false
}

// ListChange sets an element of a list, or removes it if Value is nil.
type ListChange struct {
	Index int
	Value Value
}

// Edit returns the list v with all changes applied in one pass. Indices are those before the changes; elements set
// beyond the end are appended in the order of their indices. Each index occurs once.
func (v Value) Edit(changes []ListChange) Value {
	changes = slices.Clone(changes)
	slices.SortFunc(changes, func(a, b ListChange) int { return cmp.Compare(a.Index, b.Index) })
	size := len(v)
	for _, c := range changes {
		size += len(c.Value)
	}
	dst, at := AppendOpen(make([]byte, 0, size), List)
	rest := v.Bytes()
	for i := 0; len(rest) > 0; i++ {
		var e Value
		e, rest = split(rest)
		if len(changes) > 0 && changes[0].Index == i {
			e, changes = changes[0].Value.Plain(), changes[1:]
		}
		dst = append(dst, e...)
	}
	for _, c := range changes {
		dst = append(dst, c.Value.Plain()...)
	}
	return AppendClose(dst, at)
}
