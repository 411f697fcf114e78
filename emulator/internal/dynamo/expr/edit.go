package expr

import (
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// edit is a change of an item: it sets the value at path, or removes it if value is nil.
type edit struct {
	path  Path
	value item.Value
}

// hasParent reports whether the item has the map or the list that the last step of the path addresses.
func (e edit) hasParent(s *subject) bool {
	lastIndex := len(e.path) - 1
	return e.path[:lastIndex].in(&s.Reader, s.it).Type() == e.path[lastIndex].container()
}

// rewrite applies edits in one pass over every map that they change. The edits do not overlap, and each has a place.
func rewrite(s *subject, edits []edit) item.Value {
	switch len(edits) {
	case 0:
		return s.it
	case 1:
		return put(s, s.it, edits[0].path, edits[0].value)
	}
	slices.SortFunc(edits, func(a, b edit) int { return slices.CompareFunc(a.path, b.path, compareSteps) })
	return rewriteFrom(s, s.it, edits, 0)
}

// put applies one edit.
func put(s *subject, in item.Value, path Path, v item.Value) item.Value {
	step := path[0]
	if len(path) > 1 {
		v = put(s, step.in(&s.Reader, in), path[1:], v)
	}
	switch {
	case step.Name != "" && v == nil:
		return in.Without(step.Name)
	case step.Name != "":
		return in.With(step.Name, v)
	case v == nil:
		return in.WithoutIndex(step.Index)
	}
	return in.WithIndex(step.Index, v)
}

// rewriteFrom applies sorted edits to this map or list, which they all address by their steps at the level.
func rewriteFrom(s *subject, in item.Value, edits []edit, level int) item.Value {
	entries := make([]item.Entry, 0, len(edits))
	elements := make([]item.ListChange, 0)
	s.Step(len(in) / bytesPerStep)
	for len(edits) > 0 {
		e := edits[0]
		step := e.path[level]
		n := 1
		for n < len(edits) && edits[n].path[level] == step {
			n++
		}
		if len(e.path) > level+1 {
			e.value = rewriteFrom(s, step.in(&s.Reader, in), edits[:n], level+1)
		}
		if step.container() == item.List {
			elements = append(elements, item.ListChange{Index: step.Index, Value: e.value})
		} else {
			entries = append(entries, item.Entry{Name: step.Name, Value: e.value})
		}
		edits = edits[n:]
	}
	if len(elements) > 0 {
		return in.Edit(elements)
	}
	return in.Merge(entries)
}
