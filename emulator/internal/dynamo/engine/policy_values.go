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
	seen map[string]bool // built once there are mapThreshold names
}

// mapThreshold is the number of names from which lookups use a map: a request can name a hundred thousand.
const mapThreshold = 16

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
	if len(n.List) < mapThreshold {
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

// AddItem adds the attributes of an item; nil for none.
func (n *NamedAttributes) AddItem(it item.Value) {
	if it == nil {
		return
	}
	for name := range it.Entries() {
		n.Add(string(name))
	}
}

func (n *NamedAttributes) addPaths(paths iter.Seq[expr.Path]) {
	for p := range paths {
		n.Add(p.Attribute())
	}
}

// AddCondition adds the attributes of a condition; nil for none.
func (n *NamedAttributes) AddCondition(c *expr.Condition) {
	if c != nil {
		n.addPaths(c.Paths())
	}
}

// AddProjection adds the attributes of a projection; nil for none.
func (n *NamedAttributes) AddProjection(p *expr.Projection) {
	if p != nil {
		n.addPaths(p.Paths())
	}
}

// AddUpdate adds the attributes of an update; nil for none.
func (n *NamedAttributes) AddUpdate(u *expr.Update) {
	if u != nil {
		n.addPaths(u.Paths())
	}
}

// PolicyValues are the values that an input gives to the condition keys of policies: DynamoDB's own keys, empty if the
// operation has none, and tags.
type PolicyValues struct {
	Select, ReturnValues, ReturnConsumedCapacity string
	Attributes                                   NamedAttributes // top-level ones: of keys, items and expressions
	Tags                                         []Tag
	TagKeys                                      []string
}

// PolicyInput is an input that has such values.
type PolicyInput interface {
	// PolicyValues adds the values for one resource that the input names: a table, by its position and name.
	PolicyValues(v *PolicyValues, member int, table string)
}

// AddTag adds a tag that the request attaches to a resource.
func (v *PolicyValues) AddTag(t Tag) {
	v.Tags, v.TagKeys = append(v.Tags, t), append(v.TagKeys, t.Key)
}

// DefaultSelect returns the effective Select of a read that does not set it.
func DefaultSelect(projection *expr.Projection) string {
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
