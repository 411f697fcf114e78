package builtin

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// Aggregate is an aggregate function in progress, over the rows of a query or a group.
type Aggregate interface {
	// Add adds the value of the argument for one row. It reports whether the function keeps the value.
	Add(v doc.Value) (kept bool)
	// Value returns the result for the rows so far.
	Value() doc.Value
	// Partial returns the partial result of one range, which Merge and the SDKs combine with those of other ranges: for
	// AVG {"sum":…,"count":…}, for the others their value.
	Partial() doc.Value
	// Merge adds a result of Partial of the same function.
	Merge(partial doc.Value)
}

// NewAggregate returns the aggregate function with a name, in any case. All aggregate functions have one argument.
func NewAggregate(name string) (Aggregate, bool) {
	begin, ok := aggregates[strings.ToUpper(name)]
	if !ok {
		return nil, false
	}
	return begin(), true
}

var aggregates = map[string]func() Aggregate{
	"AVG":      func() Aggregate { return &average{} },
	"COUNT":    func() Aggregate { return &count{counts: doc.Value.Defined} },
	"COUNTIF":  func() Aggregate { return &count{counts: doc.Value.IsTrue} },
	"MAKELIST": func() Aggregate { return &valueList{} },
	"MAKESET":  func() Aggregate { return &valueList{distinct: true} },
	"MAX":      func() Aggregate { return &extremum{sign: 1} },
	"MIN":      func() Aggregate { return &extremum{sign: -1} },
	"SUM":      func() Aggregate { return &sumAggregate{} },
}

// sumAggregate is SUM. It ignores undefined values; a value of any other type makes the result undefined.
type sumAggregate struct {
	sum       float64
	count     int
	undefined bool
}

func (t *sumAggregate) Add(v doc.Value) bool {
	switch v.Kind() {
	case doc.Undefined:
	case doc.Numeric:
		t.sum += v.Float()
		t.count++
	default:
		t.undefined = true
	}
	return false
}

func (t *sumAggregate) Value() doc.Value {
	if t.undefined {
		return undefined
	}
	return doc.Number(t.sum)
}

func (t *sumAggregate) Partial() doc.Value      { return t.Value() }
func (t *sumAggregate) Merge(partial doc.Value) { t.merge(partial) }

func (t *sumAggregate) merge(partial doc.Value) {
	if !partial.Defined() { // of a range with a value of another type
		t.undefined = true
		return
	}
	t.Add(partial)
}

// average is AVG. It handles values as SUM does; without values the result is undefined.
type average struct{ sumAggregate }

func (a *average) Value() doc.Value {
	if a.undefined || a.count == 0 {
		return undefined
	}
	return doc.Number(a.sum / float64(a.count))
}

func (a *average) Partial() doc.Value {
	if a.undefined {
		return undefined
	}
	return doc.Object(doc.Member{Name: "sum", Value: doc.Number(a.sum)}, doc.Member{Name: "count",
		Value: doc.Number(float64(a.count))})
}

func (a *average) Merge(partial doc.Value) {
	before := a.count
	a.merge(partial.Field("sum"))
	a.count = before + int(partial.Field("count").Float())
}

// count is COUNT, of rows whose argument is defined, and COUNTIF, of rows whose argument is true.
type count struct {
	counts func(doc.Value) bool
	n      float64
}

func (c *count) Add(v doc.Value) bool {
	if c.counts(v) {
		c.n++
	}
	return false
}

func (c *count) Value() doc.Value        { return doc.Number(c.n) }
func (c *count) Partial() doc.Value      { return c.Value() }
func (c *count) Merge(partial doc.Value) { c.n += partial.Float() }

// extremum is MAX (sign 1) and MIN (sign -1) in the order of types and values. It ignores undefined values; an array or
// an object makes the result undefined. The one value that it keeps at a time does not count.
type extremum struct {
	sign      int
	best      doc.Value
	undefined bool
}

func (m *extremum) Add(v doc.Value) bool {
	switch {
	case v.Kind() == doc.List || v.Kind() == doc.Map:
		m.undefined = true
	case v.Defined() && (!m.best.Defined() || doc.Compare(v, m.best)*m.sign > 0):
		m.best = v
	}
	return false
}

func (m *extremum) Value() doc.Value {
	if m.undefined {
		return undefined
	}
	return m.best
}

func (m *extremum) Partial() doc.Value      { return m.Value() }
func (m *extremum) Merge(partial doc.Value) { m.Add(partial) }

// valueList is MAKELIST, all defined values in order, and MAKESET, the same without duplicates. Beyond maxElements the
// result is undefined.
type valueList struct {
	distinct bool
	seen     map[string]bool
	elements []doc.Value
}

func (l *valueList) Add(v doc.Value) bool {
	if !v.Defined() || len(l.elements) > maxElements {
		return false
	}
	if l.distinct {
		k := Key(v)
		if l.seen[k] {
			return false
		}
		if l.seen == nil {
			l.seen = map[string]bool{}
		}
		l.seen[k] = true
	}
	l.elements = append(l.elements, v)
	return true
}

func (l *valueList) Value() doc.Value {
	if len(l.elements) > maxElements {
		return undefined
	}
	return doc.Array(l.elements...)
}

func (l *valueList) Partial() doc.Value { return l.Value() }

func (l *valueList) Merge(partial doc.Value) {
	for _, v := range partial.Elements() {
		l.Add(v)
	}
}
