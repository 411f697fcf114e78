package expr

import (
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// edit is a change to an item: the value at path becomes this one, or goes if it is nil.
type edit struct {
	path  Path
	value item.Value
}

// hasPlace says whether the item has a map or list that the last step of the path belongs to.
func (e edit) hasPlace(it item.Value) bool {
	last := len(e.path) - 1
	return e.path[:last].in(it).Type() == e.path[last].container()
}

// rewrite makes edits that do not overlap, and that have a place each, in one pass through every map that
// they touch.
func rewrite(it item.Value, edits []edit) item.Value {
	switch len(edits) {
	case 0:
		return it
	case 1:
		return put(it, edits[0].path, edits[0].value)
	}
	slices.SortFunc(edits, func(a, b edit) int { return slices.CompareFunc(a.path, b.path, compareSteps) })
	return rewriteFrom(it, edits, 0)
}

// put makes one edit.
func put(in item.Value, path Path, v item.Value) item.Value {
	s := path[0]
	if len(path) > 1 {
		v = put(s.in(in), path[1:], v)
	}
	switch {
	case s.Name != "" && v == nil:
		return in.Without(s.Name)
	case s.Name != "":
		return in.With(s.Name, v)
	case v == nil:
		return in.WithoutIndex(s.Index)
	}
	return in.WithIndex(s.Index, v)
}

// rewriteFrom makes sorted edits, which lead through this map or list by their step at the level.
func rewriteFrom(in item.Value, edits []edit, level int) item.Value {
	changes := make([]change, 0, len(edits))
	for len(edits) > 0 {
		e := edits[0]
		s := e.path[level]
		n := 1
		for n < len(edits) && edits[n].path[level] == s {
			n++
		}
		if len(e.path) > level+1 {
			e.value = rewriteFrom(s.in(in), edits[:n], level+1)
		}
		changes = append(changes, change{s, e.value})
		edits = edits[n:]
	}
	if changes[0].container() == item.List {
		return changeList(in, changes)
	}
	entries := make([]item.Entry, len(changes))
	for i, c := range changes {
		entries[i] = item.Entry{Name: c.Name, Value: c.value}
	}
	return in.Merge(entries)
}

// change is an edit of one entry of a map or element of a list.
type change struct {
	Step
	value item.Value
}

// changeList sets elements first, so that indices beyond the end append in their order, and then removes
// others from the last on, so that an index means the element that had it before.
func changeList(in item.Value, ascending []change) item.Value {
	for _, c := range ascending {
		if c.value != nil {
			in = in.WithIndex(c.Index, c.value)
		}
	}
	for _, c := range slices.Backward(ascending) {
		if c.value == nil {
			in = in.WithoutIndex(c.Index)
		}
	}
	return in
}
