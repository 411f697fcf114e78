package plan

import (
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// Range is a range of hashes in hexadecimal. A point, whose ends are equal, is one logical partition. The point "" is
// for a query that no item matches, or that reads none: any partition can run it.
type Range struct {
	Min, Max     string
	MaxInclusive bool
}

// fullRange returns the whole hash space.
func fullRange() []Range { return []Range{{Max: "FF"}} }

// IsSingleKey reports whether ranges are a single point.
func IsSingleKey(ranges []Range) bool { return len(ranges) == 1 && ranges[0].Min == ranges[0].Max }

// Ranges returns the ranges of hashes of the items that a query may select. They are those of its plan, but exist also
// for a query without a plan.
func Ranges(r *Request) []Range {
	switch {
	case r.Query.From == nil:
		return []Range{{MaxInclusive: true}}
	case r.Query.Where == nil || r.Key == nil || len(r.Key.Paths) == 0 || !ofRoot(&r.Query.From.Sources[0]):
		return fullRange()
	}
	s := solver{root: rootAlias(r.Query), parameters: r.Parameters}
	for _, p := range r.Key.Paths {
		names, err := doc.PathSegments(p)
		if err != nil {
			return fullRange()
		}
		s.paths = append(s.paths, names)
	}
	found := s.keys(r.Query.Where)
	if len(found) == 0 {
		return []Range{{MaxInclusive: true}}
	}
	return keyRanges(r.Key, found)
}

// ofRoot reports whether a source is the container itself.
func ofRoot(s *ast.Source) bool { return !s.In && s.Query == nil && len(s.Path) == 0 }

// keyRanges returns the ranges of keys, sorted, without ranges contained in others.
func keyRanges(d *doc.PartitionKeyDefinition, found []key) []Range {
	all := make([]Range, 0, len(found))
	for _, k := range found {
		r, ok := keyRange(d, k)
		if !ok {
			return fullRange()
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

// keyRange returns the range of the items with a key. ok is false if the first component is unknown.
func keyRange(d *doc.PartitionKeyDefinition, k key) (Range, bool) {
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
