package plan

import (
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// Range is a part of the hash space, in hexadecimal. A point, whose ends are the same, is one logical partition. The
// point "" is of a query that no item can satisfy, or that reads none: any partition answers it.
type Range struct {
	Min, Max     string
	MaxInclusive bool
}

// everywhere is the whole hash space.
func everywhere() []Range { return []Range{{Max: "FF"}} }

// Single says that ranges are one point.
func Single(ranges []Range) bool { return len(ranges) == 1 && ranges[0].Min == ranges[0].Max }

// Ranges are the parts of the hash space where the items can be that a query selects: those of its plan, for a query
// that has none too.
func Ranges(r *Request) []Range {
	switch {
	case r.Query.From == nil:
		return []Range{{MaxInclusive: true}}
	case r.Query.Where == nil || r.Key == nil || len(r.Key.Paths) == 0 || !ofRoot(&r.Query.From.Sources[0]):
		return everywhere()
	}
	s := solver{root: rootAlias(r.Query), parameters: r.Parameters}
	for _, p := range r.Key.Paths {
		names, err := doc.PathSegments(p)
		if err != nil {
			return everywhere()
		}
		s.paths = append(s.paths, names)
	}
	found := s.keys(r.Query.Where)
	if len(found) == 0 {
		return []Range{{MaxInclusive: true}}
	}
	return merged(r.Key, found)
}

// ofRoot says that a source is the container itself.
func ofRoot(s *ast.Source) bool { return !s.In && s.Query == nil && len(s.Path) == 0 }

// merged are the ranges of keys, sorted, none within another.
func merged(d *doc.PartitionKeyDefinition, found []key) []Range {
	all := make([]Range, 0, len(found))
	for _, k := range found {
		r, ok := rangeOf(d, k)
		if !ok {
			return everywhere()
		}
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b Range) int {
		if c := strings.Compare(a.Min, b.Min); c != 0 {
			return c
		}
		return -strings.Compare(a.Max, b.Max)
	})
	kept := all[:1]
	for _, r := range all[1:] {
		if last := kept[len(kept)-1]; r.Max > last.Max || r.Min == r.Max && r.Max == last.Max && r != last {
			kept = append(kept, r)
		}
	}
	return kept
}

// rangeOf is where the items of a key are; not ok where its first components are not known.
func rangeOf(d *doc.PartitionKeyDefinition, k key) (Range, bool) {
	prefix := doc.PartitionKey{}
	for _, c := range k {
		if c == nil {
			break
		}
		prefix = append(prefix, *c)
	}
	whole := len(prefix) == len(d.Paths)
	if len(prefix) == 0 || !whole && !d.Hierarchical() {
		return Range{}, false
	}
	low, high := d.Range(prefix)
	if whole {
		return Range{Min: low.Hex(), Max: low.Hex(), MaxInclusive: true}, true
	}
	return Range{Min: low.Hex(), Max: high.Hex()}, true
}
