package engine

import (
	"iter"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// NamedAttributes collects the top-level attributes that a request names, each once, in order of first mention.
type NamedAttributes struct {
	List []string
	seen map[string]bool // made once there are manyNames
}

// manyNames is the number of names from which they are looked up in a map: a request can name a hundred thousand.
const manyNames = 16

// Add adds an attribute.
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

// OfItem adds the attributes of an item; nil for none.
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

// OfCondition adds the attributes of a condition; nil for none.
func (n *NamedAttributes) OfCondition(c *expr.Condition) {
	if c != nil {
		n.ofPaths(c.Paths())
	}
}

// OfProjection adds the attributes of a projection; nil for none.
func (n *NamedAttributes) OfProjection(p *expr.Projection) {
	if p != nil {
		n.ofPaths(p.Paths())
	}
}

// OfUpdate adds the attributes of an update; nil for none.
func (n *NamedAttributes) OfUpdate(u *expr.Update) {
	if u != nil {
		n.ofPaths(u.Paths())
	}
}

// PolicyValues are the values that an input gives to the condition keys of policies: DynamoDB's own keys, empty if the
// operation has none, and tags.
type PolicyValues struct {
	Selected, ReturnValues, ReturnConsumedCapacity string
	Attributes                                     NamedAttributes // top-level ones: of keys, items and expressions
	Tags                                           []Tag
	TagKeys                                        []string
}

// PolicyInput is an input that has such values.
type PolicyInput interface {
	// PolicyValues adds the values for one resource that the input names: a table, by its position and name.
	PolicyValues(v *PolicyValues, member int, table string)
}

// Give adds a tag that the request attaches to a resource.
func (v *PolicyValues) Give(t Tag) {
	v.Tags, v.TagKeys = append(v.Tags, t), append(v.TagKeys, t.Key)
}

// SelectedBy returns the effective Select of a read that does not set it.
func SelectedBy(projection *expr.Projection) string {
	if projection != nil {
		return "SPECIFIC_ATTRIBUTES"
	}
	return "ALL_ATTRIBUTES"
}

// OrNone returns a parameter's value, NONE if it is not set.
func OrNone(o wire.Optional[string]) string {
	if o.Set {
		return o.V
	}
	return "NONE"
}
