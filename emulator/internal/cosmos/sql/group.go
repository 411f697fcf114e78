package sql

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/builtin"
)

// groups are the groups of a query's rows, those seen first in front. Without GROUP BY there is one, rows or no rows.
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
	one := &group{key: values}
	for i := range g.block.aggs {
		agg, _ := builtin.NewAggregate(g.block.aggs[i].name) // the compiler has found it
		one.aggs = append(one.aggs, agg)
	}
	g.byKey[key] = one
	g.all = append(g.all, one)
	return one
}

// add counts the row that a frame holds.
func (g *groups) add(f *frame) {
	one := g.of(f)
	for i := range g.block.aggs {
		v := g.block.aggs[i].arg(f)
		one.aggs[i].Add(v)
		if g.block.aggs[i].gathers {
			f.stepOver(&v)
			f.keep(v)
		}
	}
}

func (g *groups) of(f *frame) *group {
	if len(g.block.keys) == 0 {
		return g.all[0]
	}
	var text strings.Builder
	values := make([]doc.Value, len(g.block.keys))
	for i, key := range g.block.keys {
		values[i] = asRead(key(f))
		f.stepOver(&values[i])
		text.WriteString(builtin.Key(values[i]))
		text.WriteByte(0) // stands in no key
	}
	if one, ok := g.byKey[text.String()]; ok {
		return one
	}
	f.keepBytes(2*text.Len() + len(values)*valueBytes + (1+len(g.block.aggs))*entryBytes)
	return g.begin(text.String(), values)
}

// gathers reports whether the aggregate function of that name holds its arguments.
func gathers(name string) bool {
	return strings.EqualFold(name, "MAKELIST") || strings.EqualFold(name, "MAKESET")
}

// row is what the query selects of a group; undefined where it is no row.
func (g *groups) row(f *frame, one *group) doc.Value {
	for i, slot := range g.block.keySlots {
		f.slots[slot] = one.key[i]
	}
	for i := range g.block.aggs {
		f.slots[g.block.aggs[i].slot] = one.aggs[i].Value()
	}
	return g.block.project(f)
}

func (g *groups) emit(f *frame, yield func(doc.Value) bool) {
	for _, one := range g.all {
		if row := g.row(f, one); row.Defined() && !yield(row) {
			return
		}
	}
}
