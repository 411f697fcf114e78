package dynamo

import (
	"iter"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// namedAttributes gathers the top-level attributes that a request names, each once, in order of their first mention.
type namedAttributes struct {
	list []string
	seen map[string]bool // once there are many
}

// manyNames is the number from which on names are looked up in a map: a request can name a hundred thousand.
const manyNames = 16

func (n *namedAttributes) add(name string) {
	if n.has(name) {
		return
	}
	n.list = append(n.list, name)
	if n.seen != nil {
		n.seen[name] = true
	}
}

func (n *namedAttributes) has(name string) bool {
	if len(n.list) < manyNames {
		return slices.Contains(n.list, name)
	}
	if n.seen == nil {
		n.seen = make(map[string]bool, 2*len(n.list))
		for _, known := range n.list {
			n.seen[known] = true
		}
	}
	return n.seen[name]
}

func (n *namedAttributes) ofItem(it item.Value) {
	if it == nil {
		return
	}
	for name := range it.Entries() {
		n.add(string(name))
	}
}

func (n *namedAttributes) ofPaths(paths iter.Seq[expr.Path]) {
	for p := range paths {
		n.add(p.Attribute())
	}
}

func (n *namedAttributes) ofCondition(c *expr.Condition) {
	if c != nil {
		n.ofPaths(c.Paths())
	}
}

func (n *namedAttributes) ofProjection(p *expr.Projection) {
	if p != nil {
		n.ofPaths(p.Paths())
	}
}

func (n *namedAttributes) ofUpdate(u *expr.Update) {
	if u != nil {
		n.ofPaths(u.Paths())
	}
}
