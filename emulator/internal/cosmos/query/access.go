package query

import (
	"context"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/index"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// candidate is an index that a query can use, with the ranges of it that match the filter.
type candidate struct {
	index  *index.Index
	spec   index.Spec
	ranges []index.Range
	points bool // each range is a single value
}

// accessPlan holds the indexes that a query can use, found before its snapshot is taken.
type accessPlan struct {
	c          *engine.Container
	scope      *scope
	none       bool // no item can match the filter
	ordered    *candidate
	reverse    bool // the ordered index is read backwards
	filters    []candidate
	conditions int          // paths with conditions that the indexing policy covers
	visits     int          // physical partitions in the scope
	most       int          // maximum number of index entries worth listing
	list       *index.Index // of a logical partition's items; nil: all items are scanned
}

// fits reports whether the indexes of the plan can be used on a replica's state. An index filled from a newer state
// lacks the entries of that state.
func (p *accessPlan) fits(m *lag.Moment) bool {
	if p.ordered != nil && !m.Includes(p.ordered.index.Filled) || p.list != nil && !m.Includes(p.list.Filled) {
		return false
	}
	return !slices.ContainsFunc(p.filters, func(one candidate) bool { return !m.Includes(one.index.Filled) })
}

// The limits of choosing an index.
const (
	builtFilters = 2       // indexes that a query builds for its filter
	fewEntries   = 256     // with fewer, sorting is cheaper than reading in index order
	mostEntries  = 20_000  // more are not listed for a page of rows
	mostBlocking = 1 << 20 // more are not listed for a query that reads everything before its first row
)

// plan finds the indexes that a query over a scope can use, and builds missing ones. def must be the definition that
// the query was compiled for.
func plan(c *engine.Container, ctx context.Context, def *engine.Definition, s *scope, shape *sql.Shape, resume *sql.State) (*accessPlan, error) {
	p := &accessPlan{c: c, scope: s, most: mostEntries}
	if shape.Blocking {
		p.most = mostBlocking
	}
	conditions := conditionsByPath(def, s, shape)
	p.conditions, p.visits = len(conditions), visits(c, s)
	if err := p.planOrder(ctx, def, shape, conditions, resume); err != nil {
		return nil, err
	}
	if err := p.planFilters(ctx, def, conditions); err != nil || p.none || !p.wantsList() {
		return p, err
	}
	var err error
	p.list, err = c.UsableIndex(ctx, index.Spec{Scoped: true})
	return p, err
}

// visits returns the number of physical partitions that a scope touches, at least one.
func visits(c *engine.Container, s *scope) (n int) {
	for _, r := range c.Ranges() {
		if len(s.cut(r.EPKRange).parts) > 0 {
			n++
		}
	}
	return max(1, n)
}

// wantsList reports whether a list of the logical partition's items can help.
func (p *accessPlan) wantsList() bool {
	return p.ordered == nil && len(p.scope.parts) == 1 && p.scope.logical() && (len(p.filters) == 0 || !p.filters[0].points)
}

// logical reports whether the scope consists of known logical partitions.
func (s *scope) logical() bool {
	return len(s.parts) > 0 && !slices.ContainsFunc(s.parts, func(p doc.EPKRange) bool { return !p.Single() })
}

// pathConditions are the conditions on a path.
type pathConditions struct {
	steps []doc.PathStep
	all   []sql.Condition
}

// conditionsByPath groups the conditions that an index can serve by path. In a single known partition, conditions on
// the partition key are left out, because all its items meet them.
func conditionsByPath(def *engine.Definition, s *scope, shape *sql.Shape) []pathConditions {
	var all []pathConditions
	for _, one := range shape.Where {
		steps := stepsOf(one.Path)
		elements := index.Spec{Parts: index.Composite{{Steps: steps}}}.Elements()
		if one.Op == sql.Ne || one.Op == sql.NotDefined && elements || !def.Indexing.Serves(steps) || len(s.parts) == 1 && s.logical() && isKeyPath(def, steps) {
			continue
		}
		name := doc.PathText(steps)
		at := slices.IndexFunc(all, func(p pathConditions) bool { return doc.PathText(p.steps) == name })
		if at < 0 {
			all, at = append(all, pathConditions{steps: steps}), len(all)
		}
		if !elements || len(all[at].all) == 0 { // two different elements may meet two conditions
			all[at].all = append(all[at].all, one)
		}
	}
	return all
}

// stepsOf converts a path of a query to a path of an index, which does not distinguish array elements.
func stepsOf(p sql.Path) []doc.PathStep {
	steps := make([]doc.PathStep, len(p))
	for i, s := range p {
		steps[i] = doc.PathStep{Name: s.Name, Element: s.Kind != sql.Property}
	}
	return steps
}

func isKeyPath(def *engine.Definition, steps []doc.PathStep) bool {
	return slices.ContainsFunc(def.Key.Paths, func(path string) bool {
		names, err := doc.PathSegments(path)
		return err == nil && slices.EqualFunc(names, steps, func(n string, s doc.PathStep) bool { return s == doc.PathStep{Name: n} })
	})
}

// planOrder finds the index that sorts the items in the order of ORDER BY. A query that began without one continues
// without one.
func (p *accessPlan) planOrder(ctx context.Context, def *engine.Definition, shape *sql.Shape, conditions []pathConditions, resume *sql.State) error {
	if shape.Order == nil || shape.Blocking || resume != nil && !inOrder(resume) || p.scope.logical() && len(p.scope.parts) > 1 {
		return nil
	}
	spec, reverse, ok := orderedBy(def.Indexing, shape.Order)
	if !ok {
		return nil
	}
	spec.Scoped, spec.Parts = p.scope.logical(), def.Bind(spec.Parts)
	x, err := p.c.UsableIndex(ctx, spec)
	if err != nil || x == nil {
		return err
	}
	p.ordered, p.reverse = &candidate{index: x, spec: spec, ranges: leading(spec.Parts, conditions)}, reverse
	return nil
}

// orderedBy returns the index that serves ORDER BY, and whether it is read backwards.
func orderedBy(x *index.Policy, order []sql.Order) (spec index.Spec, reverse, ok bool) {
	want := index.Composite{}
	for _, o := range order {
		want = append(want, index.CompositePath{Steps: stepsOf(o.Path), Desc: o.Desc})
	}
	if slices.ContainsFunc(want, func(p index.CompositePath) bool {
		return slices.ContainsFunc(p.Steps, func(s doc.PathStep) bool { return s.Element })
	}) {
		return spec, false, false
	}
	if len(want) == 1 {
		reverse, want[0].Desc = want[0].Desc, false
		return index.Spec{Parts: want}, reverse, x.Serves(want[0].Steps)
	}
	for _, c := range x.Composite {
		if ok, reverse := c.Matches(want); ok {
			return index.Spec{Parts: c}, reverse, true
		}
	}
	return spec, false, false
}

// leading returns the ranges of an ordered index that match the conditions on its first paths.
func leading(parts index.Composite, conditions []pathConditions) []index.Range {
	prefix := []byte{}
	for i, part := range parts {
		at := slices.IndexFunc(conditions, func(p pathConditions) bool { return doc.PathText(p.steps) == doc.PathText(part.Steps) })
		if at < 0 {
			break
		}
		ranges, points := index.RangesOf(conditions[at].all)
		if len(parts) == 1 {
			return ranges
		}
		if !points || len(ranges) != 1 || i == len(parts)-1 {
			break
		}
		value := slices.Clone(ranges[0].Low)
		if part.Desc {
			doc.InvertKey(value)
		}
		prefix = append(prefix, value...)
	}
	return []index.Range{{Low: prefix, High: store.PrefixEnd(prefix)}}
}

// planFilters finds the indexes that serve the filter. Those with equality conditions come first.
func (p *accessPlan) planFilters(ctx context.Context, def *engine.Definition, conditions []pathConditions) error {
	var found []candidate
	for _, one := range conditions {
		ranges, points := index.RangesOf(one.all)
		if p.none = len(ranges) == 0; p.none {
			return nil
		}
		spec := index.Spec{Scoped: p.scope.logical(), Parts: def.Bind(index.Composite{{Steps: one.steps}})}
		found = append(found, candidate{spec: spec, ranges: ranges, points: points})
	}
	slices.SortStableFunc(found, func(a, b candidate) int {
		return strings.Compare(rank(a), rank(b))
	})
	made := 0
	for _, one := range found {
		one.index = p.c.Indexes.Find(one.spec)
		if made < builtFilters && (made == 0 && p.ordered == nil || one.points) {
			var err error
			if one.index, err = p.c.UsableIndex(ctx, one.spec); err != nil {
				return err
			}
			made++
		}
		if one.index != nil && one.index.Ready.Load() {
			p.filters = append(p.filters, one)
		}
	}
	return nil
}

// rank returns a sort key by which candidates that probably match fewer items come first.
func rank(c candidate) string {
	switch {
	case c.points && len(c.ranges) == 1:
		return "a"
	case c.points:
		return "b"
	case len(c.ranges) == 1 && c.ranges[0].High != nil:
		return "c"
	}
	return "d"
}
