package expr

import (
	"iter"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// Projection is a choice of document paths, ready to be applied to items. It may be used by many
// goroutines.
type Projection struct {
	listed []Path
	picks  []pick
}

// pick is a step that a projection takes, and what it picks from there: all of it, if nothing in particular.
type pick struct {
	Step
	picks []pick
}

// ParseProjection reads a ProjectionExpression.
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

// picksOf makes picks of sorted paths from a level on.
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

// Paths are the document paths of the projection, in the order in which they are written.
func (p *Projection) Paths() iter.Seq[Path] { return slices.Values(p.listed) }

// Apply is the chosen part of an item, an item itself: maps keep their shape, lists close the gaps between the elements
// chosen, and what holds nothing chosen is left out. The error is the budget's, which bounds the work; nil is no bound.
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

// pickBytes is how many bytes of a value a lookup in it goes through in the time of one step, up to mostSought.
const (
	pickBytes  = 128
	mostSought = 4096 // larger values are looked up by an index, which counts by itself
)

// pickFrom is nil where v has nothing of what is picked.
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
