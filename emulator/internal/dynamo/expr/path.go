package expr

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// Path is a document path, such as a.b[0]: the attribute of the item first. It has one step at least.
type Path []Step

// Step leads from a map to the entry called Name or, where Name is empty, from a list to the element at
// Index. No attribute has an empty name.
type Step struct {
	Name  string
	Index int
}

// maxSteps is how deep a path may reach.
const maxSteps = 32

// Attribute is the name of the attribute that the path begins with.
func (p Path) Attribute() string { return p[0].Name }

// String is the path as messages show it: [a, b, [0]].
func (p Path) String() string {
	var b strings.Builder
	for i, s := range p {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(s.String())
	}
	return "[" + b.String() + "]"
}

// String is the step as messages show it: its name, or [0].
func (s Step) String() string {
	if s.Name != "" {
		return s.Name
	}
	return "[" + strconv.Itoa(s.Index) + "]"
}

// in is what the path leads to in an item or a part of one, nil where there is nothing.
func (p Path) in(r *item.Reader, v item.Value) item.Value {
	for _, s := range p {
		if v = s.in(r, v); v == nil {
			return nil
		}
	}
	return v
}

func (s Step) in(r *item.Reader, v item.Value) (found item.Value) {
	if s.Name != "" {
		found, _ = r.Field(v, s.Name)
	} else {
		found, _ = r.Index(v, s.Index)
	}
	return found
}

// container is the type of the value that has such a step.
func (s Step) container() item.Type {
	if s.Name != "" {
		return item.Map
	}
	return item.List
}

func compareSteps(a, b Step) int {
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Index, b.Index))
}

// equalPaths says whether a and b are one path, if any.
func equalPaths(a, b Path) bool {
	return len(a) > 0 && len(a) == len(b) && commonSteps(a, b) == len(a)
}

// commonSteps counts the steps that a and b begin with alike.
func commonSteps(a, b Path) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
