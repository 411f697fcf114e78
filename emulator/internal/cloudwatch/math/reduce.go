package math

import (
	"fmt"
	"math"
)

// reduction reduces one series to a number, and an array to one series, by the values at each time.
func reduction(fn func(all []float64) float64) function {
	return function{1, 1, func(_ *evaluation, args []value) (value, error) {
		switch v := args[0]; v.form {
		case isSeries:
			s := v.series[0]
			all := make([]float64, 0, len(s.Values))
			for _, at := range s.Times() {
				all = append(all, s.Values[at])
			}
			return ofNumber(fn(all)), nil
		case isArray:
			return ofSeries(across(v.series, fn)), nil
		default:
			return value{}, fmt.Errorf("a time series, or an array of them, was expected")
		}
	}}
}

// across applies fn to the values that some series have at each time.
func across(series []*Series, fn func(all []float64) float64) *Series {
	byTime := map[int64][]float64{}
	out := &Series{Values: map[int64]float64{}}
	for _, s := range series {
		out.Period = max(out.Period, s.Period)
		for at, x := range s.Values {
			byTime[at] = append(byTime[at], x)
		}
	}
	for at, all := range byTime {
		out.set(at, fn(all))
	}
	return out
}

// average is AVG. In an array, a series without a value at a time counts as 0.
func average(e *evaluation, args []value) (value, error) {
	n := float64(len(args[0].series))
	mean := func(all []float64) float64 { return sum(all) / float64(len(all)) }
	if args[0].form == isArray {
		mean = func(all []float64) float64 { return sum(all) / n }
	}
	return reduction(mean).run(e, args)
}

func sum(all []float64) float64 {
	var total float64
	for _, x := range all {
		total += x
	}
	return total
}

// fold returns NaN for an empty slice.
func fold(all []float64, fn func(a, b float64) float64) float64 {
	if len(all) == 0 {
		return math.NaN()
	}
	folded := all[0]
	for _, x := range all[1:] {
		folded = fn(folded, x)
	}
	return folded
}

// deviation returns the population standard deviation.
func deviation(all []float64) float64 {
	mean := sum(all) / float64(len(all))
	var squares float64
	for _, x := range all {
		squares += (x - mean) * (x - mean)
	}
	return math.Sqrt(squares / float64(len(all)))
}

// mapping applies fn to each value.
func mapping(fn func(float64) float64) function {
	return function{1, 1, func(_ *evaluation, args []value) (value, error) { return args[0].each(fn) }}
}

// edge returns the first or the last series of an array, or value of a series.
func edge(v value, last bool) (value, error) {
	i := 0
	switch v.form {
	case isArray:
		if len(v.series) == 0 {
			return ofSeries(&Series{Values: map[int64]float64{}}), nil
		}
		if last {
			i = len(v.series) - 1
		}
		return ofSeries(v.series[i]), nil
	case isSeries:
		times := v.series[0].Times()
		if len(times) == 0 {
			return ofNumber(math.NaN()), nil
		}
		if last {
			i = len(times) - 1
		}
		return ofNumber(v.series[0].Values[times[i]]), nil
	}
	return value{}, fmt.Errorf("FIRST and LAST take a time series or an array of them")
}

// points is DATAPOINT_COUNT: for a series a number; for an array a series that counts the values at each time.
func points(v value) (value, error) {
	return reduction(func(all []float64) float64 { return float64(len(all)) }).run(nil, []value{v})
}
