package patch

import (
	"math"
	"slices"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// Apply returns a document after all operations. The error is the *Error of the first operation that fails.
func (p *Patch) Apply(document doc.Value) (doc.Value, error) {
	for i := range p.Operations {
		var err error
		if document, err = p.Operations[i].apply(document); err != nil {
			return doc.Value{}, problem("For Operation(%d): %s. Learn more: https://aka.ms/cosmosdbpatchdocs", i+1, err)
		}
	}
	if deeper(document, doc.MaxDepth) {
		return doc.Value{}, problem("The patched document is nested deeper than %d levels.", doc.MaxDepth)
	}
	return document, nil
}

// deeper reports whether a value is nested more deeply than a number of levels.
func deeper(v doc.Value, levels int) bool {
	if levels < 0 {
		return true
	}
	return slices.ContainsFunc(v.Elements(), func(e doc.Value) bool { return deeper(e, levels-1) }) ||
		slices.ContainsFunc(v.Members(), func(m doc.Member) bool { return deeper(m.Value, levels-1) })
}

func (o *Operation) apply(v doc.Value) (doc.Value, error) {
	if o.Kind != Move {
		return o.at(v, o.Path, o.change)
	}
	if slices.Equal(o.From, o.Path) {
		_, err := o.at(v, o.From, existing)
		return v, err
	}
	var moved doc.Value
	v, err := o.at(v, o.From, func(parent doc.Value, last string) (doc.Value, error) {
		if moved = child(parent, last); !moved.Defined() {
			return v, problem("Move Operation needs something at its from, no path found beyond: '%s'", last)
		}
		return without(parent, last), nil
	})
	if err != nil {
		return v, err
	}
	add := Operation{Kind: Add, Value: moved}
	return o.at(v, o.Path, add.change)
}

// existing checks that a child exists and returns the parent unchanged.
func existing(parent doc.Value, last string) (doc.Value, error) {
	if !child(parent, last).Defined() {
		return parent, problem("no path found beyond: '%s'", last)
	}
	return parent, nil
}

// at returns v with the parent of the value at path replaced by the result of change.
func (o *Operation) at(v doc.Value, path []string, change func(parent doc.Value, last string) (doc.Value,
	error)) (doc.Value, error) {
	if len(path) == 1 {
		if v.Kind() != doc.Map && v.Kind() != doc.List {
			return v, o.noPath(path[0])
		}
		return change(v, path[0])
	}
	part := child(v, path[0])
	if !part.Defined() {
		return v, o.noPath(path[0])
	}
	part, err := o.at(part, path[1:], change)
	if err != nil {
		return v, err
	}
	return with(v, path[0], part), nil
}

// noPath returns the error for a path to a value that does not exist. The message is from a test of the .NET SDK, for
// Add.
func (o *Operation) noPath(step string) error {
	switch o.Kind {
	case Add, Set, Move, Increment:
		return problem("%s Operation can only create a child object of an existing node(array or object) and cannot create path recursively, no path found beyond: '%s'",
			o.Kind, step)
	}
	return problem("%s Operation can only be used on an existing path, no path found beyond: '%s'", o.Kind, step)
}

// change applies the operation to the object or array that contains its target.
func (o *Operation) change(parent doc.Value, last string) (doc.Value, error) {
	now := child(parent, last)
	if parent.Kind() == doc.List {
		return o.changeArray(parent, last, now)
	}
	switch {
	case !now.Defined() && (o.Kind == Replace || o.Kind == Remove):
		return parent, o.noPath(last)
	case o.Kind == Remove:
		return parent.Without(last), nil
	}
	value, err := o.value(now)
	return parent.With(last, value), err
}

// value returns the value by which the operation replaces another.
func (o *Operation) value(now doc.Value) (doc.Value, error) {
	if o.Kind != Increment || !now.Defined() {
		return o.Value, nil
	}
	if a, ok := now.Int(); ok {
		if b, ok := o.Value.Int(); ok && (a+b > a) == (b > 0) {
			return doc.Int(a + b), nil
		}
	}
	sum := now.Float() + o.Value.Float()
	if now.Kind() != doc.Numeric || math.IsInf(sum, 0) {
		return now, problem("Increment Operation can only be used on a number, and its result must be one")
	}
	return doc.Number(sum), nil
}

func (o *Operation) changeArray(array doc.Value, last string, now doc.Value) (doc.Value, error) {
	elements := slices.Clone(array.Elements())
	at, ok := len(elements), true
	if last != "-" {
		at, ok = index(last, len(elements))
	}
	inserts := o.Kind == Add || o.Kind == Set && last == "-"
	switch {
	case !ok, !now.Defined() && !inserts:
		return array, problem("%s Operation needs an index within the array of %d elements, not '%s'", o.Kind,
			len(elements), last)
	case inserts:
		return doc.Array(slices.Insert(elements, at, o.Value)...), nil
	case o.Kind == Remove:
		return doc.Array(slices.Delete(elements, at, at+1)...), nil
	}
	value, err := o.value(now)
	elements[at] = value
	return doc.Array(elements...), err
}

// index parses an index from 0 to highest: digits without leading zeros.
func index(text string, highest int) (int, bool) {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil || int(n) > highest || len(text) > 1 && text[0] == '0' {
		return 0, false
	}
	return int(n), true
}

// child returns a member of an object or an element of an array; undefined if there is none.
func child(v doc.Value, step string) doc.Value {
	if v.Kind() != doc.List {
		return v.Field(step)
	}
	if i, ok := index(step, v.Len()-1); ok {
		return v.At(i)
	}
	return doc.Value{}
}

// with returns a value with an existing child replaced.
func with(v doc.Value, step string, part doc.Value) doc.Value {
	if v.Kind() != doc.List {
		return v.With(step, part)
	}
	elements := slices.Clone(v.Elements())
	if i, ok := index(step, len(elements)-1); ok {
		elements[i] = part
	}
	return doc.Array(elements...)
}

// without returns a value without an existing child.
func without(v doc.Value, step string) doc.Value {
	if v.Kind() != doc.List {
		return v.Without(step)
	}
	elements := slices.Clone(v.Elements())
	if i, ok := index(step, len(elements)-1); ok {
		elements = slices.Delete(elements, i, i+1)
	}
	return doc.Array(elements...)
}
