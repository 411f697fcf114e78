package index

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// The service keeps an index of every path that a policy names, from the first item on. Here an index is kept from the
// first query on that goes by it: so writes stay cheap, and queries need not know. What a policy says only decides
// which indexes there may be.

// index is an ordered list of a container's items by the values at some paths. All but its flags stays as it is.
type Index struct {
	Number uint32 // its entries lie under it
	Spec   Spec
	Ready  atomic.Bool // it has all items
	Filled lag.Mark    // the writes that its entries were made of when it became ready: a moment before them has others
	Rough  atomic.Bool // values were too long for it: their order is not that of the entries
	Noted  atomic.Bool // the store says that it is rough, which readers are told before
	Gone   atomic.Bool // the policy has it no more
}

// Spec is what an index is of.
type Spec struct {
	// scoped is an index of each logical partition for itself, for queries of one; else it is of the whole container.
	Scoped bool
	// parts are the paths; none is the list of a partition in the order of creation.
	Parts Composite
}

// Name tells specs apart.
func (s Spec) Name() string {
	var b strings.Builder
	if s.Scoped {
		b.WriteByte('.')
	}
	for _, p := range s.Parts {
		b.WriteString(doc.PathText(p.Steps))
		if p.Desc {
			b.WriteString(" DESC")
		}
		b.WriteString("\n" + p.query() + "\n")
	}
	return b.String()
}

// Elements reports whether the index has an entry for each element of an array: any number of an item.
func (s Spec) Elements() bool {
	return len(s.Parts) == 1 && slices.ContainsFunc(s.Parts[0].Steps, func(p doc.PathStep) bool { return p.Element })
}

// catalogue is a container's indexes.
type Catalog struct {
	Building *store.Gate // closed by who makes one
	all      atomic.Pointer[[]*Index]
	Next     uint32 // number; guarded by building
}

// MaxIndexes bounds how many indexes writes keep up. A query that would want one more reads all items.
const MaxIndexes = 40

// List returns the indexes in the order of their creation.
func (c *Catalog) List() []*Index {
	if all := c.all.Load(); all != nil {
		return *all
	}
	return nil
}

// Find returns the index of a spec; nil: there is none.
func (c *Catalog) Find(s Spec) *Index {
	name := s.Name()
	for _, x := range c.List() {
		if x.Spec.Name() == name {
			return x
		}
	}
	return nil
}

// Add adds an index, for writes to keep up from now on.
func (c *Catalog) Add(x *Index) {
	all := append(slices.Clone(c.List()), x)
	c.all.Store(&all)
}

// Remove removes an index.
func (c *Catalog) Remove(x *Index) {
	all := slices.DeleteFunc(slices.Clone(c.List()), func(other *Index) bool { return other == x })
	c.all.Store(&all)
}

// Record is the index as it is stored.
func (x *Index) Record(ready bool) []byte {
	parts := doc.Array()
	for _, p := range x.Spec.Parts {
		steps := []doc.Value{}
		for _, s := range p.Steps {
			step := doc.NullValue()
			if !s.Element {
				step = doc.String(s.Name)
			}
			steps = append(steps, step)
		}
		parts = doc.Array(append(parts.Elements(), doc.Object(
			doc.Member{Name: "path", Value: doc.Array(steps...)}, doc.Member{Name: "desc", Value: doc.Bool(p.Desc)},
			doc.Member{Name: "query", Value: doc.String(p.query())}))...)
	}
	return doc.Append(nil, doc.Object(
		doc.Member{Name: "scoped", Value: doc.Bool(x.Spec.Scoped)},
		doc.Member{Name: "parts", Value: parts},
		doc.Member{Name: "ready", Value: doc.Bool(ready)},
		doc.Member{Name: "rough", Value: doc.Bool(x.Rough.Load())},
	))
}

// Parse is an index as it was stored.
func Parse(number uint32, v doc.Value) (*Index, error) {
	x := &Index{Number: number, Spec: Spec{Scoped: v.Field("scoped").IsTrue()}}
	for _, part := range v.Field("parts").Elements() {
		p := CompositePath{Desc: part.Field("desc").IsTrue()}
		for _, step := range part.Field("path").Elements() {
			p.Steps = append(p.Steps, doc.PathStep{Name: step.Str(), Element: step.Kind() == doc.Null})
		}
		if query := part.Field("query").Str(); query != "" {
			var err error
			if p.Of, err = sql.NewComputed(p.Steps[0].Name, query, 0); err != nil {
				return nil, err
			}
		}
		x.Spec.Parts = append(x.Spec.Parts, p)
	}
	x.Ready.Store(v.Field("ready").IsTrue())
	x.Rough.Store(v.Field("rough").IsTrue())
	x.Noted.Store(x.Rough.Load())
	return x, nil
}

// MaxEntry is how many bytes of a value an entry has. Longer values are found by their beginnings.
const MaxEntry = 200
