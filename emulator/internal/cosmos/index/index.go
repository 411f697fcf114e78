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

// The service indexes every path of a policy from the first item on. The emulator builds an index when the first query
// needs it, which keeps writes cheap and is invisible to queries. The policy only decides which indexes may exist.

// Index is an ordered list of a container's items by the values at some paths. Only its flags, and the progress of its
// build, change.
type Index struct {
	Number           uint32 // part of the keys of its entries
	Spec             Spec
	Ready            atomic.Bool // it contains all items
	BuiltAt          lag.Mark    // the writes included when it became ready: an earlier state has different entries
	Truncated        atomic.Bool // it has values longer than an entry, so the entries are not in the order of the values
	TruncationStored atomic.Bool // Truncated is stored
	Removed          atomic.Bool // the policy no longer includes it
	BuildFrom        uint64      // rid of the first item that its build has not added yet; guarded by Building

	// Dropping is set before a transaction deletes its entries, so that no snapshot is without them while it is false. It
	// is reset if the transaction fails.
	Dropping atomic.Bool
}

// Usable reports whether queries may read the index: its entries are neither deleted nor being deleted.
func (x *Index) Usable() bool { return !x.Removed.Load() && !x.Dropping.Load() }

// Spec describes what an index covers.
type Spec struct {
	// Scoped is set for an index per logical partition, for queries of one partition. Otherwise the index covers the
	// whole container.
	Scoped bool
	// Paths are the paths. Without paths, the index lists the items of a partition in creation order.
	Paths Composite
}

// Name returns a string that identifies the spec.
func (s Spec) Name() string {
	var b strings.Builder
	if s.Scoped {
		b.WriteByte('.')
	}
	for _, p := range s.Paths {
		b.WriteString(doc.PathText(p.Steps))
		if p.Desc {
			b.WriteString(" DESC")
		}
		b.WriteString("\n" + p.query() + "\n")
	}
	return b.String()
}

// Elements reports whether the index has an entry for each element of an array, and thus any number of entries per
// item.
func (s Spec) Elements() bool {
	return len(s.Paths) == 1 && slices.ContainsFunc(s.Paths[0].Steps, func(p doc.PathStep) bool { return p.Element })
}

// Catalog holds a container's indexes.
type Catalog struct {
	Building *store.Gate // closed while an index is built
	all      atomic.Pointer[[]*Index]
	Next     uint32 // the next index number; guarded by Building
}

// MaxIndexes is the maximum number of indexes that writes maintain. A query that would need another one scans all
// items.
const MaxIndexes = 40

// List returns the indexes in order of creation.
func (c *Catalog) List() []*Index {
	if all := c.all.Load(); all != nil {
		return *all
	}
	return nil
}

// Find returns the index with a spec, or nil.
func (c *Catalog) Find(s Spec) *Index {
	name := s.Name()
	for _, x := range c.List() {
		if x.Spec.Name() == name {
			return x
		}
	}
	return nil
}

// Add adds an index, which writes maintain from now on.
func (c *Catalog) Add(x *Index) {
	all := append(slices.Clone(c.List()), x)
	c.all.Store(&all)
}

// Remove removes an index.
func (c *Catalog) Remove(x *Index) {
	all := slices.DeleteFunc(slices.Clone(c.List()), func(other *Index) bool { return other == x })
	c.all.Store(&all)
}

// Record returns the stored form of the index.
func (x *Index) Record(ready bool) []byte {
	parts := doc.Array()
	for _, p := range x.Spec.Paths {
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
		doc.Member{Name: "rough", Value: doc.Bool(x.Truncated.Load())},
	))
}

// Parse parses the stored form of an index.
func Parse(number uint32, v doc.Value) (*Index, error) {
	x := &Index{Number: number, Spec: Spec{Scoped: v.Field("scoped").IsTrue()}}
	for _, part := range v.Field("parts").Elements() {
		p := CompositePath{Desc: part.Field("desc").IsTrue()}
		for _, step := range part.Field("path").Elements() {
			p.Steps = append(p.Steps, doc.PathStep{Name: step.Str(), Element: step.Kind() == doc.Null})
		}
		if query := part.Field("query").Str(); query != "" {
			var err error // with a property if the property is volatile, which was valid when the index was built
			if p.Computed, err = sql.NewComputed(p.Steps[0].Name, query, 0); p.Computed == nil {
				return nil, err
			}
		}
		x.Spec.Paths = append(x.Spec.Paths, p)
	}
	x.Ready.Store(v.Field("ready").IsTrue())
	x.Truncated.Store(v.Field("rough").IsTrue())
	x.TruncationStored.Store(x.Truncated.Load())
	return x, nil
}

// MaxEntryBytes is the maximum number of bytes of a value in an entry. Longer values are truncated.
const MaxEntryBytes = 200
