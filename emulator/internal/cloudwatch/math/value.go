package math

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
)

// Series is a time series: values by the second since 1970 at which their period begins.
type Series struct {
	ID     string // of the metric or expression that it comes from
	Period int64  // seconds
	Values map[int64]float64
}

// Times are the seconds that have a value, in order.
func (s *Series) Times() []int64 { return slices.Sorted(maps.Keys(s.Values)) }

// value is what a part of an expression is: a number, a text, one series, or some.
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

// Source is what expressions are evaluated over.
type Source struct {
	From, To int64 // the seconds asked for; To is not included
	// Lookup finds the series of an ID: one, or some if it is an expression that has some. Its errors are the caller's
	// own.
	Lookup func(id string) (series []*Series, array bool, err error)
	// Metrics are the series of the request that are no expressions, in its order.
	Metrics []*Series
	// Budget is what expressions may still use: a step and ValueBytes for each value that they look at or make. Its
	// errors are those of Eval. nil is no bound.
	Budget *budget.Budget
}

// ValueBytes is about what a value of a series takes, in bytes: an entry of a map, which has room to grow.
const ValueBytes = 40

type evaluation struct{ *Source }

// spend counts so many values against the budget.
func (e *evaluation) spend(values int) error {
	if err := e.Budget.Step(values); err != nil {
		return err
	}
	return e.Budget.Grow(values * ValueBytes)
}

// spendOn counts what an operation is to look at against the budget. What it makes is no more than that, but for a
// grid.
func (e *evaluation) spendOn(operands ...value) error {
	values := len(operands)
	for _, v := range operands {
		for _, s := range v.series {
			values += 1 + len(s.Values)
		}
	}
	return e.spend(values)
}

// Eval computes an expression. array says that it may be more than one series. An expression that is only a number is
// an error, for CloudWatch wants a time series.
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
		return value{}, fmt.Errorf("a text is no operand")
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

// set gives a time a value; what is no number, as after a division by zero, leaves it without one.
func (s *Series) set(at int64, x float64) {
	if x-x == 0 {
		s.Values[at] = x
	}
}
