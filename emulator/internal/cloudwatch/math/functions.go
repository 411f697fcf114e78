package math

import (
	"fmt"
	"math"
	"strings"
)

// function is a metric math function with its number of arguments.
type function struct {
	least, most int
	run         func(e *evaluation, args []value) (value, error)
}

// lookup returns the function of a name, including FILL and IF. METRICS takes a text.
func lookup(name string) (function, bool) {
	switch name {
	case "SUM":
		return reduction(sum), true
	case "AVG":
		return function{1, 1, average}, true
	case "MIN":
		return reduction(func(all []float64) float64 { return fold(all, math.Min) }), true
	case "MAX":
		return reduction(func(all []float64) float64 { return fold(all, math.Max) }), true
	case "STDDEV":
		return reduction(deviation), true
	case "ABS":
		return mapping(math.Abs), true
	case "CEIL":
		return mapping(math.Ceil), true
	case "FLOOR":
		return mapping(math.Floor), true
	case "LOG":
		return mapping(math.Log), true
	case "LOG10":
		return mapping(math.Log10), true
	case "METRICS":
		return function{0, 1, metrics}, true
	case "METRIC_COUNT":
		return function{1, 1, func(_ *evaluation, a []value) (value, error) {
			return ofNumber(float64(len(a[0].series))), nil
		}}, true
	case "IF":
		return function{2, 3, condition}, true
	}
	return alongTime(name)
}

// alongTime returns the functions that use the order of values.
func alongTime(name string) (function, bool) {
	switch name {
	case "FILL":
		return function{2, 2, fill}, true
	case "RATE":
		return transformation(func(was, is float64, seconds int64) float64 { return (is - was) / float64(seconds) }), true
	case "DIFF":
		return transformation(func(was, is float64, _ int64) float64 { return is - was }), true
	case "RUNNING_SUM":
		return function{1, 1, runningSum}, true
	case "FIRST", "LAST":
		return function{1, 1, func(_ *evaluation, a []value) (value, error) { return edge(a[0], name == "LAST") }}, true
	case "DATAPOINT_COUNT":
		return function{1, 1, func(_ *evaluation, a []value) (value, error) { return points(a[0]) }}, true
	case "PERIOD":
		return function{1, 1, period}, true
	case "TIME_SERIES":
		return function{1, 1, timeSeries}, true
	}
	return function{}, false
}

// check refuses an unknown function, or a wrong number of arguments.
func (n call) check() error {
	f, ok := lookup(n.name)
	if !ok {
		return fmt.Errorf("the function %s is not supported here", n.name)
	}
	if len(n.args) < f.least || len(n.args) > f.most {
		return fmt.Errorf("the function %s takes %d to %d arguments, not %d", n.name, f.least, f.most, len(n.args))
	}
	return nil
}

func (n call) eval(e *evaluation) (value, error) {
	f, _ := lookup(n.name)
	args := make([]value, len(n.args))
	for i, arg := range n.args {
		if keyword, ok := arg.(ref); ok && n.name == "FILL" && i == 1 && isFill(keyword.id) {
			args[i] = value{text: strings.ToUpper(keyword.id), form: isText}
			continue
		}
		var err error
		if args[i], err = arg.eval(e); err != nil {
			return value{}, err
		}
	}
	if err := e.spendOn(args...); err != nil {
		return value{}, err
	}
	return f.run(e, args)
}

// metrics returns all metrics of the request, or those whose ID contains a text.
func metrics(e *evaluation, args []value) (value, error) {
	var all []*Series
	for _, s := range e.Metrics {
		if len(args) == 0 || strings.Contains(s.ID, args[0].text) {
			all = append(all, s)
		}
	}
	if len(args) == 1 && args[0].form != isText {
		return value{}, fmt.Errorf("METRICS takes a text in quotes")
	}
	return ofArray(all), e.spend(len(e.Metrics))
}

// condition is IF: the first value where the condition is not 0, otherwise the second one, which may be absent.
func condition(_ *evaluation, args []value) (value, error) {
	no := value{form: isText}
	if len(args) == 3 {
		no = args[2]
	}
	switch args[0].form {
	case isNumber:
		if args[0].number != 0 {
			return args[1], nil
		}
		if no.form == isText {
			return value{}, fmt.Errorf("IF has no value for a condition that does not hold")
		}
		return no, nil
	case isSeries:
		test := args[0].series[0]
		out := &Series{ID: test.ID, Period: test.Period, Values: map[int64]float64{}}
		for at, x := range test.Values {
			chosen := args[1]
			if x == 0 {
				chosen = no
			}
			if v, ok, err := chosen.at(at); err != nil {
				return value{}, err
			} else if ok {
				out.set(at, v)
			}
		}
		return ofSeries(out), nil
	}
	return value{}, fmt.Errorf("the condition of IF is a number or one time series")
}

// at returns a number, or a series' value at a time.
func (v value) at(at int64) (x float64, ok bool, err error) {
	switch v.form {
	case isNumber:
		return v.number, true, nil
	case isSeries:
		x, ok = v.series[0].Values[at]
		return x, ok, nil
	case isText:
		return 0, false, nil
	}
	return 0, false, fmt.Errorf("IF does not take an array of time series here")
}
