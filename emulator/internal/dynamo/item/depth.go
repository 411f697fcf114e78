package item

// Depth returns the nesting depth: 1 for a scalar or a set, one more for each list or map around it.
func (v Value) Depth() int {
	deepest := 0
	switch v.Type() {
	case List:
		for e := range v.Elements() {
			deepest = max(deepest, e.Depth())
		}
	case Map:
		for _, e := range v.Entries() {
			deepest = max(deepest, e.Depth())
		}
	}
	return deepest + 1
}

// ItemDepth returns the depth of an item's deepest attribute.
func (v Value) ItemDepth() int { return v.Depth() - 1 }
