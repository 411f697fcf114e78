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

// attributes are the top-level attributes that the request names: in keys, items, projections, conditions, filters and
// updates. They are gathered once for all conditions of all policies.
func (q *accessContext) attributes() []string {
	if q.named == nil {
		q.named = q.gather()
	}
	return q.named
}

func (q *accessContext) gather() []string {
	var n namedAttributes
	for i := range q.refs[q.from:q.to] {
		n.ofItem(q.refs[q.from+i].item)
	}
	switch in := q.in.(type) {
	case *GetItemInput:
		n.ofProjection(in.projection)
	case *PutItemInput:
		n.ofCondition(in.condition)
	case *DeleteItemInput:
		n.ofCondition(in.condition)
	case *UpdateItemInput:
		n.ofUpdate(in.update)
		n.ofCondition(in.condition)
	case *QueryInput:
		for name := range in.key.Attributes() {
			n.add(name)
		}
		n.ofRead(&in.readRequest)
	case *ScanInput:
		n.ofRead(&in.readRequest)
	case *BatchGetItemInput:
		n.ofProjection(q.reads(in).projection)
	case *TransactGetItemsInput:
		n.ofProjection(in.TransactItems[q.from].projection)
	case *TransactWriteItemsInput:
		n.ofUpdate(in.TransactItems[q.from].update)
		n.ofCondition(in.TransactItems[q.from].condition)
	}
	return n.list
}

func (n *namedAttributes) ofRead(in *readRequest) {
	n.ofCondition(in.filter)
	n.ofProjection(in.projection)
}

// reads is the part of a batch that is about the table asked about.
func (q *accessContext) reads(in *BatchGetItemInput) *tableReads {
	at := slices.IndexFunc(in.RequestItems, func(t tableReads) bool { return t.table == q.refs[q.from].table })
	return &in.RequestItems[at]
}
