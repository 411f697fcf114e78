package sql

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/builtin"
)

// groups are the groups of a query's rows, in order of appearance. Without GROUP BY there is one group, even without
// rows.
type groups struct {
	block *block
	byKey map[string]*group
	all   []*group
}

type group struct {
	key  []doc.Value
	aggs []builtin.Aggregate
}

func newGroups(b *block) *groups {
	g := &groups{block: b, byKey: map[string]*group{}}
	if len(b.keys) == 0 {
		g.begin("", nil)
	}
	return g
}

func (g *groups) begin(key string, values []doc.Value) *group {
	started := &group{key: values}
	for i := range g.block.aggs {
		agg, _ := builtin.NewAggregate(g.block.aggs[i].name) // the compiler has checked the name
		started.aggs = append(started.aggs, agg)
	}
	g.byKey[key] = started
	g.all = append(g.all, started)
	return started
}

// add adds the row in the frame to its group.
func (g *groups) add(f *frame) {
	current := g.of(f)
	for i := 0; i < len(g.block.aggs) && f.err == nil; i++ {
		agg := &g.block.aggs[i]
		v := agg.arg(f)
		if agg.copies > 0 && !f.stepOver(&v) {
			return
		}
		if current.aggs[i].Add(v) {
			f.keepBytes(agg.copies * wholeBytes(&v))
		}
	}
}

// of returns the group of the row in the frame. After an error it returns nil.
func (g *groups) of(f *frame) *group {
	if len(g.block.keys) == 0 {
		return g.all[0]
	}
	var text strings.Builder
	values := make([]doc.Value, len(g.block.keys))
	bytes := (1 + len(g.block.aggs)) * entryBytes
	for i, key := range g.block.keys {
		v := key(f)
		if !f.stepOver(&v) {
			return nil
		}
		values[i] = f.nullForUndefined(v)
		bytes += wholeBytes(&values[i])
		text.WriteString(builtin.Key(values[i]))
		text.WriteByte(0) // no key contains it
	}
	if known, ok := g.byKey[text.String()]; ok {
		return known
	}
	f.keepBytes(2*text.Len() + bytes)
	return g.begin(text.String(), values)
}

// copiesOf returns how many copies an aggregate function has of each argument that it keeps.
func copiesOf(name string) int {
	switch strings.ToUpper(name) {
	case "MAKELIST":
		return 1
	case "MAKESET":
		return 2 // the element, and its key
	}
	return 0
}

// row returns the row that the query selects for a group; undefined if there is none.
func (g *groups) row(f *frame, current *group) doc.Value {
	for i, slot := range g.block.keySlots {
		f.slots[slot] = current.key[i]
	}
	for i := range g.block.aggs {
		f.slots[g.block.aggs[i].slot] = current.aggs[i].Value()
	}
	return g.block.project(f)
}

func (g *groups) emit(f *frame, yield func(doc.Value) bool) {
	for _, current := range g.all {
		if row := g.row(f, current); row.Defined() && !yield(row) {
			return
		}
	}
}
