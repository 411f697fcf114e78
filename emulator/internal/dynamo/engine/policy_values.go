package engine

import (
	"iter"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// NamedAttributes gathers the top-level attributes that a request names, each once, in order of their first mention.
type NamedAttributes struct {
	List []string
	seen map[string]bool // once there are many
}

// manyNames is the number from which on names are looked up in a map: a request can name a hundred thousand.
const manyNames = 16

// Add notes an attribute.
func (n *NamedAttributes) Add(name string) {
	if n.has(name) {
		return
	}
	n.List = append(n.List, name)
	if n.seen != nil {
		n.seen[name] = true
	}
}

func (n *NamedAttributes) has(name string) bool {
	if len(n.List) < manyNames {
		return slices.Contains(n.List, name)
	}
	if n.seen == nil {
		n.seen = make(map[string]bool, 2*len(n.List))
		for _, known := range n.List {
			n.seen[known] = true
		}
	}
	return n.seen[name]
}

// OfItem notes the attributes of an item; nil for none.
func (n *NamedAttributes) OfItem(it item.Value) {
	if it == nil {
		return
	}
	for name := range it.Entries() {
		n.Add(string(name))
	}
}

func (n *NamedAttributes) ofPaths(paths iter.Seq[expr.Path]) {
	for p := range paths {
		n.Add(p.Attribute())
	}
}

// OfCondition notes the attributes of a condition; nil for none.
func (n *NamedAttributes) OfCondition(c *expr.Condition) {
	if c != nil {
		n.ofPaths(c.Paths())
	}
}

// OfProjection notes the attributes of a projection; nil for none.
func (n *NamedAttributes) OfProjection(p *expr.Projection) {
	if p != nil {
		n.ofPaths(p.Paths())
	}
}

// OfUpdate notes the attributes of an update; nil for none.
func (n *NamedAttributes) OfUpdate(u *expr.Update) {
	if u != nil {
		n.ofPaths(u.Paths())
	}
}

// PolicyValues are the values of condition keys of policies that an input gives: those of DynamoDB's own keys, empty
// where the operation has none, and the tags.
type PolicyValues struct {
	Selected, ReturnValues, ReturnConsumedCapacity string
	Attributes                                     NamedAttributes // top-level ones: of keys, items and expressions
	Tags                                           []Tag
	TagKeys                                        []string
}

// PolicyInput is an input that has such values.
type PolicyInput interface {
	// PolicyValues adds those of one resource that the input names: the one at the position of member, of that table.
	PolicyValues(v *PolicyValues, member int, table string)
}

// Give notes a tag that a request gives to a resource.
func (v *PolicyValues) Give(t Tag) {
	v.Tags, v.TagKeys = append(v.Tags, t), append(v.TagKeys, t.Key)
}

// SelectedBy is what a read without Select returns.
func SelectedBy(projection *expr.Projection) string {
	if projection != nil {
		return "SPECIFIC_ATTRIBUTES"
	}
	return "ALL_ATTRIBUTES"
}

// OrNone is a member's value, NONE where it is not set.
func OrNone(o wire.Optional[string]) string {
	if o.Set {
		return o.V
	}
	return "NONE"
}
