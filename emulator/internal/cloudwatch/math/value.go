package math

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
)

// Series is a time series: values by the start of their period, in seconds since 1970.
type Series struct {
	ID     string // of the metric or expression that it comes from
	Period int64  // seconds
	Values map[int64]float64
}

// Times returns the seconds that have a value, in order.
func (s *Series) Times() []int64 { return slices.Sorted(maps.Keys(s.Values)) }

// value is the value of a part of an expression: a number, a text, one series, or an array of series.
type value struct {
	number float64
	text   string
	series []*Series
	form   form
}

type form int

const (
	isNumber form = iota
	isText
	isSeries // exactly one
	isArray  // of series
)

func ofNumber(n float64) value    { return value{number: n} }
func ofSeries(s *Series) value    { return value{series: []*Series{s}, form: isSeries} }
func ofArray(all []*Series) value { return value{series: all, form: isArray} }

// Source is the data that expressions are evaluated over.
type Source struct {
	From, To int64 // the requested range in seconds; To is exclusive
	// Lookup returns the series of an ID. array is true if it is an expression with an array of them. Errors are
	// returned unchanged.
	Lookup func(id string) (series []*Series, array bool, err error)
	// Metrics are the series of the request's metrics, without its expressions, in order.
	Metrics []*Series
	// Budget limits what expressions may use: a step and ValueBytes for each value that they read or create. Eval
	// returns its errors. nil means no limit.
	Budget *budget.Budget
}

// ValueBytes is the approximate size of a value of a series in bytes: an entry of a map that has room to grow.
const ValueBytes = 40

type evaluation struct{ *Source }

// spend counts values against the budget.
func (e *evaluation) spend(values int) error {
	if err := e.Budget.Step(values); err != nil {
		return err
	}
	return e.Budget.Grow(values * ValueBytes)
}

// spendOn counts an operation's input against the budget. Its output is not larger, except for a grid.
func (e *evaluation) spendOn(operands ...value) error {
	values := len(operands)
	for _, v := range operands {
		for _, s := range v.series {
			values += 1 + len(s.Values)
		}
	}
	return e.spend(values)
}

// Eval computes an expression. array reports that it may be more than one series. An expression that is only a number
// is an error, because CloudWatch requires a time series.
func (x *Expression) Eval(source *Source) (series []*Series, array bool, err error) {
	v, err := x.root.eval(&evaluation{source})
	if err != nil {
		return nil, false, err
	}
	if v.form == isNumber || v.form == isText {
		return nil, false, fmt.Errorf("it does not give a time series: use TIME_SERIES for a number")
	}
	return v.series, v.form == isArray, nil
}

func (n literal) eval(*evaluation) (value, error) { return ofNumber(n.value), nil }
func (n quoted) eval(*evaluation) (value, error)  { return value{text: n.text, form: isText}, nil }

func (n ref) eval(e *evaluation) (value, error) {
	series, array, err := e.Lookup(n.id)
	if err != nil {
		return value{}, err
	}
	if array {
		return ofArray(series), nil
	}
	return ofSeries(series[0]), nil
}

func (n list) eval(e *evaluation) (value, error) {
	var all []*Series
	for _, item := range n.of {
		v, err := item.eval(e)
		if err != nil {
			return value{}, err
		}
		if v.form != isSeries && v.form != isArray {
			return value{}, fmt.Errorf("a list has time series only")
		}
		if err := e.spend(1 + len(v.series)); err != nil {
			return value{}, err
		}
		all = append(all, v.series...)
	}
	return ofArray(all), nil
}

// each applies fn to a number, or to each value of each series.
func (v value) each(fn func(float64) float64) (value, error) {
	switch v.form {
	case isText:
		return value{}, fmt.Errorf("a text is not an operand")
	case isNumber:
		return ofNumber(fn(v.number)), nil
	}
	out := value{form: v.form}
	for _, s := range v.series {
		mapped := &Series{ID: s.ID, Period: s.Period, Values: make(map[int64]float64, len(s.Values))}
		for at, x := range s.Values {
			mapped.set(at, fn(x))
		}
		out.series = append(out.series, mapped)
	}
	return out, nil
}

// set sets the value at a time. A value that is not a finite number, as after a division by zero, is left out.
func (s *Series) set(at int64, x float64) {
	if x-x == 0 {
		s.Values[at] = x
	}
}
