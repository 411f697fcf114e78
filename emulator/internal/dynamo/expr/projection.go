package expr

import (
	"iter"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// Projection is a parsed set of document paths. It is safe for concurrent use.
type Projection struct {
	listed []Path
	picks  []pick
}

// pick is a step of a projection, and what to pick from the value there; the whole value if picks is empty.
type pick struct {
	Step
	picks []pick
}

// ParseProjection parses a ProjectionExpression.
func ParseProjection(src string, placeholders *Placeholders) (*Projection, error) {
	t := new(tree)
	p := newParser(t, ProjectionExpression, src)
	spans := []span{p.documentPath()}
	for p.takes(tokenComma) {
		spans = append(spans, p.documentPath())
	}
	if err := p.finish(); err != nil {
		return nil, err
	}
	paths := make([]Path, len(spans))
	for i, s := range spans {
		paths[i] = t.path(s)
	}
	for _, path := range paths {
		if err := checkWords(ProjectionExpression, path); err != nil {
			return nil, err
		}
	}
	if err := (resolver{t, ProjectionExpression, placeholders}).targets(paths); err != nil {
		return nil, err
	}
	return newProjection(paths), nil
}

func newProjection(paths []Path) *Projection {
	sorted := slices.Clone(paths)
	slices.SortFunc(sorted, func(a, b Path) int { return slices.CompareFunc(a, b, compareSteps) })
	return &Projection{paths, picksOf(sorted, 0)}
}

// picksOf builds picks from sorted paths, from a level on.
func picksOf(sorted []Path, level int) (picks []pick) {
	for len(sorted) > 0 {
		if len(sorted[0]) == level {
			return nil
		}
		step := sorted[0][level]
		n := 1
		for n < len(sorted) && sorted[n][level] == step {
			n++
		}
		picks = append(picks, pick{step, picksOf(sorted[:n], level+1)})
		sorted = sorted[n:]
	}
	return picks
}

// Paths returns the document paths of the projection, in the order of the text.
func (p *Projection) Paths() iter.Seq[Path] { return slices.Values(p.listed) }

// Apply returns the projected part of an item, as an item. Maps keep their structure, lists contain only the chosen
// elements, and containers without chosen parts are omitted. The only error is that of the budget, which limits the
// work; a nil budget has no limit.
func (p *Projection) Apply(it item.Value, b *budget.Budget) (item.Value, error) {
	r := item.Reader{Budget: b}
	chosen := pickFrom(&r, it, p.picks)
	if err := b.Step(0); err != nil {
		return nil, err
	}
	if chosen == nil {
		chosen = item.Empty
	}
	return chosen, nil
}

// pickBytes is how many bytes of a value a lookup passes in the time of one step, up to mostSought.
const (
	pickBytes  = 128
	mostSought = 4096 // larger values have an index, which counts its own steps
)

// pickFrom returns the picked part of v, nil if v has none of it.
func pickFrom(r *item.Reader, v item.Value, picks []pick) item.Value {
	if len(picks) == 0 {
		return v
	}
	var entries []item.Entry
	var elements []item.Value
	lookup := 1 + min(len(v), mostSought)/pickBytes
	for _, p := range picks {
		if !r.Step(lookup) {
			return nil
		}
		part := p.in(r, v)
		if part != nil {
			part = pickFrom(r, part, p.picks)
		}
		switch {
		case part == nil:
		case p.Name != "":
			entries = append(entries, item.Entry{Name: p.Name, Value: part})
		default:
			elements = append(elements, part)
		}
	}
	switch {
	case entries != nil:
		return item.Empty.Merge(entries)
	case elements != nil:
		return item.NewList(elements...)
	}
	return nil
}
