package query

import (
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
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
	container  *engine.Container
	scope      *scope
	empty      bool // no item can match the filter
	ordered    *candidate
	reverse    bool // the ordered index is read backwards
	filters    []candidate
	conditions int          // paths with conditions that the indexing policy covers
	partitions int          // physical partitions in the scope
	maxEntries int          // maximum number of index entries worth listing
	itemIndex  *index.Index // of a logical partition's items; nil: all items are scanned
}

// validAt reports whether the indexes of the plan can be used on a replica's state. An index filled from a newer state
// lacks the entries of that state.
func (p *accessPlan) validAt(m *lag.Moment) bool {
	if p.ordered != nil && !m.Includes(p.ordered.index.BuiltAt) || p.itemIndex != nil && !m.Includes(p.itemIndex.BuiltAt) {
		return false
	}
	return !slices.ContainsFunc(p.filters, func(c candidate) bool { return !m.Includes(c.index.BuiltAt) })
}

// The limits of choosing an index.
const (
	maxBuiltFilters   = 2       // indexes that a query builds for its filter
	sortThreshold     = 256     // with fewer, sorting is cheaper than reading in index order
	maxListedEntries  = 20_000  // more are not listed for a page of rows
	maxListedBlocking = 1 << 20 // more are not listed for a query that reads everything before its first row
	maxScopedRanges   = 256     // more are not read partition by partition
)

// newAccessPlan finds the indexes that a query over a scope can use, and builds missing ones. def must be the
// definition that the query was compiled for.
func newAccessPlan(c *engine.Container, work *budget.Budget, def *engine.Definition, s *scope, shape *sql.Shape,
	resume *sql.State) (*accessPlan, error) {
	p := &accessPlan{container: c, scope: s, maxEntries: maxListedEntries}
	if shape.Blocking {
		p.maxEntries = maxListedBlocking
	}
	conditions := conditionsByPath(def, s, shape)
	p.conditions, p.partitions = len(conditions), partitionCount(c, s)
	if err := p.planOrder(work, def, shape, conditions, resume); err != nil {
		return nil, err
	}
	if err := p.planFilters(work, def, conditions); err != nil || p.empty || !p.wantsItemIndex() {
		return p, err
	}
	var err error
	p.itemIndex, err = c.EnsureIndex(work, index.Spec{Scoped: true})
	return p, err
}

// partitionCount returns the number of physical partitions that a scope touches, at least one.
func partitionCount(c *engine.Container, s *scope) (n int) {
	for _, r := range c.Ranges() {
		if len(s.intersect(r.EPKRange).parts) > 0 {
			n++
		}
	}
	return max(1, n)
}

// wantsItemIndex reports whether a list of the logical partition's items can help.
func (p *accessPlan) wantsItemIndex() bool {
	return p.ordered == nil && p.scope.onePartition() && (len(p.filters) == 0 || !p.filters[0].points)
}

// logical reports whether the scope consists of known logical partitions.
func (s *scope) logical() bool {
	return len(s.parts) > 0 && !slices.ContainsFunc(s.parts, func(p doc.EPKRange) bool { return !p.IsSingleKey() })
}

// onePartition reports whether the scope is a single known logical partition.
func (s *scope) onePartition() bool { return len(s.parts) == 1 && s.parts[0].IsSingleKey() }

// pathConditions are the conditions on a path.
type pathConditions struct {
	steps      []doc.PathStep
	conditions []sql.Condition
}

// conditionsByPath groups the conditions that an index can serve by path. In a single known partition, conditions on
// the partition key are left out, because all its items meet them.
func conditionsByPath(def *engine.Definition, s *scope, shape *sql.Shape) []pathConditions {
	var all []pathConditions
	for _, condition := range shape.Where {
		steps := stepsOf(condition.Path)
		elements := index.Spec{Paths: index.Composite{{Steps: steps}}}.Elements()
		if condition.Op == sql.Ne || condition.Op == sql.NotDefined && elements || !def.Indexing.Includes(steps) ||
			s.onePartition() && isKeyPath(def, steps) {
			continue
		}
		name := doc.PathText(steps)
		at := slices.IndexFunc(all, func(p pathConditions) bool { return doc.PathText(p.steps) == name })
		if at < 0 {
			all, at = append(all, pathConditions{steps: steps}), len(all)
		}
		if !elements || len(all[at].conditions) == 0 { // two different elements may meet two conditions
			all[at].conditions = append(all[at].conditions, condition)
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
		return err == nil && slices.EqualFunc(names, steps, func(n string, s doc.PathStep) bool {
			return s == doc.PathStep{Name: n}
		})
	})
}

// planOrder finds the index that sorts the items in the order of ORDER BY. A query that began without one continues
// without one.
func (p *accessPlan) planOrder(work *budget.Budget, def *engine.Definition, shape *sql.Shape,
	conditions []pathConditions, resume *sql.State) error {
	if shape.Order == nil || shape.Blocking || resume != nil && !resumesInOrder(resume) || p.scope.logical() &&
		!p.scope.onePartition() {
		return nil
	}
	spec, reverse, ok := orderIndex(def.Indexing, shape.Order)
	if !ok || slices.ContainsFunc(spec.Paths, func(p index.CompositePath) bool { return !def.InEntries(p.Steps) }) {
		return nil
	}
	spec.Scoped, spec.Paths = p.scope.onePartition(), def.BindComputed(spec.Paths)
	x, err := p.container.EnsureIndex(work, spec)
	if err != nil || x == nil {
		return err
	}
	p.ordered, p.reverse = &candidate{index: x, spec: spec, ranges: leadingRanges(spec.Paths, conditions)}, reverse
	return nil
}

// orderIndex returns the index that serves ORDER BY, and whether it is read backwards.
func orderIndex(x *index.Policy, order []sql.Order) (spec index.Spec, reverse, ok bool) {
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
		return index.Spec{Paths: want}, reverse, x.Includes(want[0].Steps)
	}
	for _, c := range x.Composite {
		if ok, reverse := c.Matches(want); ok {
			return index.Spec{Paths: c}, reverse, true
		}
	}
	return spec, false, false
}

// leadingRanges returns the ranges of an ordered index that match the conditions on its first paths.
func leadingRanges(parts index.Composite, conditions []pathConditions) []index.Range {
	prefix := []byte{}
	for i, part := range parts {
		at := slices.IndexFunc(conditions, func(p pathConditions) bool {
			return doc.PathText(p.steps) == doc.PathText(part.Steps)
		})
		if at < 0 {
			break
		}
		ranges, points := index.RangesOf(conditions[at].conditions)
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

// planFilters finds the indexes that serve the filter. Those with equality conditions come first. A few logical
// partitions are read one by one, so that no entries of others are read. For many, each range is read once from an
// index of the whole container, not once per partition.
func (p *accessPlan) planFilters(work *budget.Budget, def *engine.Definition, conditions []pathConditions) error {
	var found []candidate
	for _, condition := range conditions {
		ranges, points := index.RangesOf(condition.conditions)
		if p.empty = len(ranges) == 0; p.empty {
			return nil
		}
		if !def.InEntries(condition.steps) {
			continue
		}
		spec := index.Spec{Scoped: p.scope.logical() && len(p.scope.parts)*len(ranges) <= maxScopedRanges,
			Paths: def.BindComputed(index.Composite{{Steps: condition.steps}})}
		found = append(found, candidate{spec: spec, ranges: ranges, points: points})
	}
	slices.SortStableFunc(found, func(a, b candidate) int {
		return strings.Compare(rank(a), rank(b))
	})
	built := 0
	for _, condition := range found {
		condition.index = p.container.Indexes.Find(condition.spec)
		if built < maxBuiltFilters && (built == 0 && p.ordered == nil || condition.points) {
			var err error
			if condition.index, err = p.container.EnsureIndex(work, condition.spec); err != nil {
				return err
			}
			built++
		}
		if condition.index != nil && condition.index.Ready.Load() {
			p.filters = append(p.filters, condition)
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
