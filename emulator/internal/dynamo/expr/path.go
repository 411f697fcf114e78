package expr

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// Path is a document path, such as a.b[0]. It has at least one step; the first is an attribute of the item.
type Path []Step

// Step leads from a map to the entry Name or, if Name is empty, from a list to the element at Index. No attribute has
// an empty name.
type Step struct {
	Name  string
	Index int
}

// maxPathDepth is the maximum number of steps in a path.
const maxPathDepth = 32

// Attribute returns the attribute with which the path begins.
func (p Path) Attribute() string { return p[0].Name }

// String returns the path as messages show it: [a, b, [0]].
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

// String returns the step as messages show it: its name, or [0].
func (s Step) String() string {
	if s.Name != "" {
		return s.Name
	}
	return "[" + strconv.Itoa(s.Index) + "]"
}

// in returns the value at the path in an item or in a part of one, nil if there is none.
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

// container returns the type of the values that have such a step: Map or List.
func (s Step) container() item.Type {
	if s.Name != "" {
		return item.Map
	}
	return item.List
}

func compareSteps(a, b Step) int {
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Index, b.Index))
}

// equalPaths reports whether a and b are equal and not empty.
func equalPaths(a, b Path) bool {
	return len(a) > 0 && len(a) == len(b) && commonSteps(a, b) == len(a)
}

// commonSteps returns the length of the common prefix of a and b.
func commonSteps(a, b Path) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
