package expr

import (
	"cmp"
	"iter"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// Projection is a parsed set of document paths. It is safe for concurrent use.
type Projection struct {
	paths   []Path
	steps   []projectedStep
	columns []string // the names of the values, of a projection from NewColumns
}

// NewColumns returns the projection of paths to values of their own: each becomes an attribute with the name at its
// position in names. The values that an item lacks are omitted; of several with one name, the last one counts.
func NewColumns(paths []Path, names []string) *Projection {
	return &Projection{paths: paths, columns: names}
}

// flatten returns the values of the columns as an item.
func (p *Projection) flatten(r *item.Reader, it item.Value) item.Value {
	var entries []item.Entry
	for i, path := range p.paths {
		if v := path.in(r, it); v != nil {
			entries = append(entries, item.Entry{Name: p.columns[i], Value: v})
		}
	}
	slices.SortStableFunc(entries, func(a, b item.Entry) int { return cmp.Compare(a.Name, b.Name) })
	unique := entries[:0]
	for i, e := range entries {
		if i+1 == len(entries) || entries[i+1].Name != e.Name {
			unique = append(unique, e)
		}
	}
	return item.Empty.Merge(unique)
}

// projectedStep is a step of a projection with the steps below it. Without children it projects the whole value.
type projectedStep struct {
	Step
	children []projectedStep
}

// ParseProjection parses a ProjectionExpression.
func ParseProjection(src string, placeholders *Placeholders) (*Projection, error) {
	t := new(tree)
	p := newParser(t, ProjectionExpression, src)
	spans := []span{p.documentPath()}
	for p.accept(tokenComma) {
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
		if err := checkPathWords(ProjectionExpression, path); err != nil {
			return nil, err
		}
	}
	if err := (resolver{t, ProjectionExpression, placeholders}).resolveTargets(paths); err != nil {
		return nil, err
	}
	return newProjection(paths), nil
}

func newProjection(paths []Path) *Projection {
	sorted := slices.Clone(paths)
	slices.SortFunc(sorted, func(a, b Path) int { return slices.CompareFunc(a, b, compareSteps) })
	return &Projection{paths: paths, steps: buildSteps(sorted, 0)}
}

// buildSteps returns the steps of sorted paths, from a level on.
func buildSteps(sorted []Path, level int) (steps []projectedStep) {
	for len(sorted) > 0 {
		if len(sorted[0]) == level {
			return nil
		}
		step := sorted[0][level]
		n := 1
		for n < len(sorted) && sorted[n][level] == step {
			n++
		}
		steps = append(steps, projectedStep{step, buildSteps(sorted[:n], level+1)})
		sorted = sorted[n:]
	}
	return steps
}

// HasNestedPath reports whether a path of the projection leads into an attribute.
func (p *Projection) HasNestedPath() bool {
	return slices.ContainsFunc(p.paths, func(path Path) bool { return len(path) > 1 })
}

// Paths returns the document paths of the projection, in the order of the text.
func (p *Projection) Paths() iter.Seq[Path] { return slices.Values(p.paths) }

// Apply returns the projected part of an item, as an item. Maps keep their structure, lists contain only the chosen
// elements, and containers without chosen parts are omitted. The only error is that of the budget, which limits the
// work; a nil budget has no limit.
func (p *Projection) Apply(it item.Value, b *budget.Budget) (item.Value, error) {
	return p.ApplyInto(nil, it, b)
}

// ApplyInto is Apply for callers that need the result only until the next call, for which they give it as buffer: it is
// overwritten, not used.
func (p *Projection) ApplyInto(buffer, it item.Value, b *budget.Budget) (item.Value, error) {
	r := item.Reader{Budget: b}
	if p.columns != nil {
		return p.flatten(&r, it), b.Step(0)
	}
	projected, _ := appendParts(buffer[:0], &r, it, p.steps)
	if err := b.Step(0); err != nil {
		return nil, err
	}
	if len(projected) == 0 {
		projected = append(projected, item.Empty...)
	}
	return projected, nil
}

// bytesPerLookupStep is how many bytes of a value a lookup passes in the time of one step, up to maxSequentialBytes.
const (
	bytesPerLookupStep = 128
	maxSequentialBytes = 4096 // larger values have an index, which counts its own steps
)

// appendProjected appends the projected part of v, and reports whether v has any.
func appendProjected(dst []byte, r *item.Reader, v item.Value, steps []projectedStep) (grown []byte, some bool) {
	if len(steps) == 0 {
		return append(dst, v...), true
	}
	return appendParts(dst, r, v, steps)
}

// appendParts is appendProjected for a list or map, of which only some parts are projected.
func appendParts(dst []byte, r *item.Reader, v item.Value, steps []projectedStep) (grown []byte, some bool) {
	dst, at := item.AppendOpen(dst, v.Type())
	lookup := 1 + min(len(v), maxSequentialBytes)/bytesPerLookupStep
	for i := range steps {
		if !r.Step(lookup) {
			break
		}
		p := &steps[i]
		part := p.in(r, v)
		if part == nil {
			continue
		}
		end := len(dst)
		if p.Name != "" {
			dst = item.AppendName(dst, p.Name)
		}
		var found bool
		if dst, found = appendProjected(dst, r, part, p.children); !found {
			dst = dst[:end]
		}
		some = some || found
	}
	if !some {
		return dst[:at], false
	}
	return item.AppendClose(dst, at), true
}
