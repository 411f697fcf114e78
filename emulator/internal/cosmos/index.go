package cosmos

import (
	"encoding/binary"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// The service keeps an index of every path that a policy names, from the first item on. Here an index is kept from the first
// query on that goes by it: so writes stay cheap, and queries need not know. What a policy says only decides which indexes
// there may be.

// index is an ordered list of a container's items by the values at some paths. All but its flags stays as it is.
type Index struct {
	number uint32 // its entries lie under it
	spec   indexSpec
	ready  atomic.Bool // it has all items
	filled lag.Mark    // the writes that its entries were made of when it became ready: a moment before them has others
	rough  atomic.Bool // values were too long for it: their order is not that of the entries
	noted  atomic.Bool // the store says that it is rough, which readers are told before
	gone   atomic.Bool // the policy has it no more
}

// indexSpec is what an index is of.
type indexSpec struct {
	// scoped is an index of each logical partition for itself, for queries of one; else it is of the whole container.
	scoped bool
	// parts are the paths; none is the list of a partition in the order of creation.
	parts composite
}

// name tells specs apart.
func (s indexSpec) name() string {
	var b strings.Builder
	if s.scoped {
		b.WriteByte('.')
	}
	for _, p := range s.parts {
		b.WriteString(doc.PathText(p.steps))
		if p.desc {
			b.WriteString(" DESC")
		}
		b.WriteString("\n" + p.query() + "\n")
	}
	return b.String()
}

// elements says that the index has an entry for each element of an array: any number of an item.
func (s indexSpec) elements() bool {
	return len(s.parts) == 1 && slices.ContainsFunc(s.parts[0].steps, func(p doc.PathStep) bool { return p.Element })
}

// catalogue is a container's indexes.
type indexCatalogue struct {
	building *store.Gate // closed by who makes one
	all      atomic.Pointer[[]*Index]
	next     uint32 // number; guarded by building
}

// maxIndexes bounds how many indexes writes keep up. A query that would want one more reads all items.
const maxIndexes = 40

func (c *indexCatalogue) list() []*Index {
	if all := c.all.Load(); all != nil {
		return *all
	}
	return nil
}

func (c *indexCatalogue) find(s indexSpec) *Index {
	name := s.name()
	for _, x := range c.list() {
		if x.spec.name() == name {
			return x
		}
	}
	return nil
}

func (c *indexCatalogue) add(x *Index) {
	all := append(slices.Clone(c.list()), x)
	c.all.Store(&all)
}

func (c *indexCatalogue) remove(x *Index) {
	all := slices.DeleteFunc(slices.Clone(c.list()), func(other *Index) bool { return other == x })
	c.all.Store(&all)
}

// record is the index as it is stored.
func (x *Index) record(ready bool) []byte {
	parts := doc.Array()
	for _, p := range x.spec.parts {
		steps := []doc.Value{}
		for _, s := range p.steps {
			step := doc.NullValue()
			if !s.Element {
				step = doc.String(s.Name)
			}
			steps = append(steps, step)
		}
		parts = doc.Array(append(parts.Elements(), doc.Object(
			doc.Member{Name: "path", Value: doc.Array(steps...)}, doc.Member{Name: "desc", Value: doc.Bool(p.desc)},
			doc.Member{Name: "query", Value: doc.String(p.query())}))...)
	}
	return doc.Append(nil, doc.Object(
		doc.Member{Name: "scoped", Value: doc.Bool(x.spec.scoped)},
		doc.Member{Name: "parts", Value: parts},
		doc.Member{Name: "ready", Value: doc.Bool(ready)},
		doc.Member{Name: "rough", Value: doc.Bool(x.rough.Load())},
	))
}

// indexOf is an index as it was stored.
func indexOf(number uint32, v doc.Value) (*Index, error) {
	x := &Index{number: number, spec: indexSpec{scoped: v.Field("scoped").IsTrue()}}
	for _, part := range v.Field("parts").Elements() {
		p := compositePath{desc: part.Field("desc").IsTrue()}
		for _, step := range part.Field("path").Elements() {
			p.steps = append(p.steps, doc.PathStep{Name: step.Str(), Element: step.Kind() == doc.Null})
		}
		if query := part.Field("query").Str(); query != "" {
			var err error
			if p.of, err = sql.NewComputed(p.steps[0].Name, query, 0); err != nil {
				return nil, err
			}
		}
		x.spec.parts = append(x.spec.parts, p)
	}
	x.ready.Store(v.Field("ready").IsTrue())
	x.rough.Store(v.Field("rough").IsTrue())
	x.noted.Store(x.rough.Load())
	return x, nil
}

func (c *container) indexKey(number uint32) []byte {
	return store.AppendUint32(c.key(letterIndex, 4), number)
}

// loadIndexes finds the container's indexes in the store. One that was being made goes on being kept up, and is made anew.
func (c *container) loadIndexes() error {
	prefix := c.key(letterIndex, 0)
	return c.state.store.View(func(r *store.Reader) error {
		it := r.Iter(prefix, store.PrefixEnd(prefix), false)
		defer it.Close()
		for it.Next() {
			v, err := doc.Parse(it.Value())
			if err != nil || len(it.Key()) != len(prefix)+4 {
				return errItem
			}
			x, err := indexOf(binary.BigEndian.Uint32(it.Key()[len(prefix):]), v)
			if err != nil {
				return err
			}
			c.indexes.add(x)
			c.indexes.next = max(c.indexes.next, x.number+1)
		}
		return it.Close()
	})
}
