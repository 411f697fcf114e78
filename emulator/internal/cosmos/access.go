package cosmos

import (
	"context"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// candidate is an index that a query could go by, and the parts of it that its filter leaves.
type candidate struct {
	index  *Index
	spec   indexSpec
	ranges []valueRange
	points bool // each range is of one value
}

// accessPlan is what a query could go by, found before the state of the store is taken that it reads.
type accessPlan struct {
	c          *container
	scope      *scope
	none       bool // no item can pass the filter
	ordered    *candidate
	reverse    bool // ordered is to be read backwards
	filters    []candidate
	conditions int    // paths whose conditions the policy has an index for
	visits     int    // physical partitions that the scope is in
	most       int    // entries that are worth being listed
	list       *Index // of a logical partition's items; nil: all items are looked at
}

// fits reports whether a replica's moment can be read by the plan's indexes: one that was filled from a newer state does not have
// the entries of the moment.
func (p *accessPlan) fits(m *lag.Moment) bool {
	if p.ordered != nil && !m.Includes(p.ordered.index.filled) || p.list != nil && !m.Includes(p.list.filled) {
		return false
	}
	return !slices.ContainsFunc(p.filters, func(one candidate) bool { return !m.Includes(one.index.filled) })
}

// The bounds of choosing.
const (
	builtFilters = 2       // indexes that a query makes for its filter
	fewEntries   = 256     // so few that sorting them beats an index in order
	mostEntries  = 20_000  // more are not listed for a page of rows
	mostBlocking = 1 << 20 // nor for a query that reads everything before its first row
)

// plan finds what a query over a scope could go by, in a container of the definition that the query was compiled for, and makes
// indexes that are missing.
func (c *container) plan(ctx context.Context, def *definition, s *scope, shape *sql.Shape, resume *sql.State) (*accessPlan, error) {
	p := &accessPlan{c: c, scope: s, most: mostEntries}
	if shape.Blocking {
		p.most = mostBlocking
	}
	conditions := conditionsByPath(def, s, shape)
	p.conditions, p.visits = len(conditions), c.visits(s)
	if err := p.planOrder(ctx, def, shape, conditions, resume); err != nil {
		return nil, err
	}
	if err := p.planFilters(ctx, def, conditions); err != nil || p.none || !p.wantsList() {
		return p, err
	}
	var err error
	p.list, err = c.usableIndex(ctx, indexSpec{scoped: true})
	return p, err
}

// visits is how many physical partitions a scope is in: one at least.
func (c *container) visits(s *scope) (n int) {
	for _, r := range c.ranges() {
		if len(s.cut(r.EPKRange).parts) > 0 {
			n++
		}
	}
	return max(1, n)
}

// wantsList says that the list of a logical partition could be of use.
func (p *accessPlan) wantsList() bool {
	return p.ordered == nil && len(p.scope.parts) == 1 && p.scope.logical() && (len(p.filters) == 0 || !p.filters[0].points)
}

// logical says that the scope is of logical partitions, each of which is known.
func (s *scope) logical() bool {
	return len(s.parts) > 0 && !slices.ContainsFunc(s.parts, func(p doc.EPKRange) bool { return !p.Single() })
}

// pathConditions are the conditions on a path.
type pathConditions struct {
	steps []doc.PathStep
	all   []sql.Condition
}

// conditionsByPath gathers the conditions that an index may serve, without those on the partition key of a known partition,
// which all its items meet.
func conditionsByPath(def *definition, s *scope, shape *sql.Shape) []pathConditions {
	var all []pathConditions
	for _, one := range shape.Where {
		steps := stepsOf(one.Path)
		elements := indexSpec{parts: composite{{steps: steps}}}.elements()
		if one.Op == sql.Ne || one.Op == sql.NotDefined && elements || !def.indexing.serves(steps) || len(s.parts) == 1 && s.logical() && isKeyPath(def, steps) {
			continue
		}
		name := doc.PathText(steps)
		at := slices.IndexFunc(all, func(p pathConditions) bool { return doc.PathText(p.steps) == name })
		if at < 0 {
			all, at = append(all, pathConditions{steps: steps}), len(all)
		}
		if !elements || len(all[at].all) == 0 { // two conditions may be met by two elements
			all[at].all = append(all[at].all, one)
		}
	}
	return all
}

// stepsOf is a query's path as an index has it: elements of an array are all one.
func stepsOf(p sql.Path) []doc.PathStep {
	steps := make([]doc.PathStep, len(p))
	for i, s := range p {
		steps[i] = doc.PathStep{Name: s.Name, Element: s.Kind != sql.Property}
	}
	return steps
}

func isKeyPath(def *definition, steps []doc.PathStep) bool {
	return slices.ContainsFunc(def.key.Paths, func(path string) bool {
		names, err := doc.PathSegments(path)
		return err == nil && slices.EqualFunc(names, steps, func(n string, s doc.PathStep) bool { return s == doc.PathStep{Name: n} })
	})
}

// planOrder finds the index that has the items in the order of ORDER BY. A query that was begun without goes on without.
func (p *accessPlan) planOrder(ctx context.Context, def *definition, shape *sql.Shape, conditions []pathConditions, resume *sql.State) error {
	if shape.Order == nil || shape.Blocking || resume != nil && !inOrder(resume) || p.scope.logical() && len(p.scope.parts) > 1 {
		return nil
	}
	spec, reverse, ok := def.indexing.orderedBy(shape.Order)
	if !ok {
		return nil
	}
	spec.scoped, spec.parts = p.scope.logical(), def.bind(spec.parts)
	x, err := p.c.usableIndex(ctx, spec)
	if err != nil || x == nil {
		return err
	}
	p.ordered, p.reverse = &candidate{index: x, spec: spec, ranges: leading(spec.parts, conditions)}, reverse
	return nil
}

// orderedBy is the index by which ORDER BY is served, and whether backwards.
func (x *Policy) orderedBy(order []sql.Order) (spec indexSpec, reverse, ok bool) {
	want := composite{}
	for _, o := range order {
		want = append(want, compositePath{steps: stepsOf(o.Path), desc: o.Desc})
	}
	if slices.ContainsFunc(want, func(p compositePath) bool {
		return slices.ContainsFunc(p.steps, func(s doc.PathStep) bool { return s.Element })
	}) {
		return spec, false, false
	}
	if len(want) == 1 {
		reverse, want[0].desc = want[0].desc, false
		return indexSpec{parts: want}, reverse, x.serves(want[0].steps)
	}
	for _, c := range x.composite {
		if ok, reverse := c.matches(want); ok {
			return indexSpec{parts: c}, reverse, true
		}
	}
	return spec, false, false
}

// leading are the ranges of an index in order that the conditions on its first paths leave.
func leading(parts composite, conditions []pathConditions) []valueRange {
	prefix := []byte{}
	for i, part := range parts {
		at := slices.IndexFunc(conditions, func(p pathConditions) bool { return doc.PathText(p.steps) == doc.PathText(part.steps) })
		if at < 0 {
			break
		}
		ranges, points := rangesOf(conditions[at].all)
		if len(parts) == 1 {
			return ranges
		}
		if !points || len(ranges) != 1 || i == len(parts)-1 {
			break
		}
		value := slices.Clone(ranges[0].low)
		if part.desc {
			doc.InvertKey(value)
		}
		prefix = append(prefix, value...)
	}
	return []valueRange{{low: prefix, high: store.PrefixEnd(prefix)}}
}

// planFilters finds the indexes by which the filter may be served: those of single values before others.
func (p *accessPlan) planFilters(ctx context.Context, def *definition, conditions []pathConditions) error {
	var found []candidate
	for _, one := range conditions {
		ranges, points := rangesOf(one.all)
		if p.none = len(ranges) == 0; p.none {
			return nil
		}
		spec := indexSpec{scoped: p.scope.logical(), parts: def.bind(composite{{steps: one.steps}})}
		found = append(found, candidate{spec: spec, ranges: ranges, points: points})
	}
	slices.SortStableFunc(found, func(a, b candidate) int {
		return strings.Compare(rank(a), rank(b))
	})
	made := 0
	for _, one := range found {
		one.index = p.c.indexes.find(one.spec)
		if made < builtFilters && (made == 0 && p.ordered == nil || one.points) {
			var err error
			if one.index, err = p.c.usableIndex(ctx, one.spec); err != nil {
				return err
			}
			made++
		}
		if one.index != nil && one.index.ready.Load() {
			p.filters = append(p.filters, one)
		}
	}
	return nil
}

// rank puts the candidates first that are likely to leave few items.
func rank(c candidate) string {
	switch {
	case c.points && len(c.ranges) == 1:
		return "a"
	case c.points:
		return "b"
	case len(c.ranges) == 1 && c.ranges[0].high != nil:
		return "c"
	}
	return "d"
}
