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
func (e edit) hasPlace(s *subject) bool {
	last := len(e.path) - 1
	return e.path[:last].in(&s.Reader, s.it).Type() == e.path[last].container()
}

// rewrite makes edits that do not overlap, and that have a place each, in one pass through every map that
// they touch.
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

// put makes one edit.
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

// rewriteFrom makes sorted edits, which lead through this map or list by their step at the level.
func rewriteFrom(s *subject, in item.Value, edits []edit, level int) item.Value {
	entries := make([]item.Entry, 0, len(edits))
	elements := make([]item.Change, 0)
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
			elements = append(elements, item.Change{Index: step.Index, Value: e.value})
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
