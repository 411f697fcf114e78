package math

import (
	"fmt"
	"strings"
)

// eachSeries applies fn to each series of a value.
func eachSeries(v value, fn func(*Series) (*Series, error)) (value, error) {
	if v.form != isSeries && v.form != isArray {
		return value{}, fmt.Errorf("a time series, or an array of them, was expected")
	}
	out := value{form: v.form}
	for _, s := range v.series {
		made, err := fn(s)
		if err != nil {
			return value{}, err
		}
		out.series = append(out.series, made)
	}
	return out, nil
}

// transformation computes each value from itself and the previous one; the first value is dropped.
func transformation(fn func(previous, current float64, seconds int64) float64) function {
	return function{1, 1, func(_ *evaluation, args []value) (value, error) {
		return eachSeries(args[0], func(s *Series) (*Series, error) {
			out := &Series{ID: s.ID, Period: s.Period, Values: map[int64]float64{}}
			times := s.Times()
			for i := 1; i < len(times); i++ {
				previous, current := times[i-1], times[i]
				out.set(current, fn(s.Values[previous], s.Values[current], current-previous))
			}
			return out, nil
		})
	}}
}

func runningSum(_ *evaluation, args []value) (value, error) {
	return eachSeries(args[0], func(s *Series) (*Series, error) {
		out := &Series{ID: s.ID, Period: s.Period, Values: map[int64]float64{}}
		var total float64
		for _, at := range s.Times() {
			total += s.Values[at]
			out.set(at, total)
		}
		return out, nil
	})
}

// isFill reports whether a word is one of FILL's modes.
func isFill(word string) bool {
	word = strings.ToUpper(word)
	return word == "REPEAT" || word == "LINEAR"
}

// fill gives a value to each period without one: a number, the value of another series, the previous value, or an
// interpolation.
func fill(e *evaluation, args []value) (value, error) {
	by := args[1]
	if by.form == isArray || by.form == isText && !isFill(by.text) {
		return value{}, fmt.Errorf("FILL takes REPEAT, LINEAR, a number or a time series")
	}
	return eachSeries(args[0], func(s *Series) (*Series, error) {
		out := &Series{ID: s.ID, Period: s.Period, Values: map[int64]float64{}}
		times := s.Times()
		grid, err := e.grid(s)
		if err != nil {
			return nil, err
		}
		i := 0 // times[:i] are not after at
		for _, at := range grid {
			for i < len(times) && times[i] <= at {
				i++
			}
			if x, ok := s.Values[at]; ok {
				out.set(at, x)
			} else if x, ok := by.filling(s, times, i, at); ok {
				out.set(at, x)
			}
		}
		return out, nil
	})
}

// filling returns the value for a time that has none; times[:i] are before it.
func (v value) filling(s *Series, times []int64, i int, at int64) (float64, bool) {
	if v.form != isText {
		x, ok, _ := v.at(at)
		return x, ok
	}
	if i == 0 || v.text == "LINEAR" && i == len(times) {
		return 0, false
	}
	was := s.Values[times[i-1]]
	if v.text == "REPEAT" {
		return was, true
	}
	is := s.Values[times[i]]
	return was + (is-was)*float64(at-times[i-1])/float64(times[i]-times[i-1]), true
}

// maxGrid limits the periods that FILL creates for a long range with a short period.
const maxGrid = 100_800

// grid returns each period of a series in the requested range.
func (e *evaluation) grid(s *Series) ([]int64, error) {
	if s.Period <= 0 || e.From >= e.To {
		return nil, nil
	}
	if err := e.spend(int(min(maxGrid, (e.To-e.From+s.Period-1)/s.Period))); err != nil {
		return nil, err
	}
	var times []int64
	for at := e.From; at < e.To && len(times) < maxGrid; at += s.Period {
		times = append(times, at)
	}
	return times, nil
}

func period(_ *evaluation, args []value) (value, error) {
	if args[0].form != isSeries {
		return value{}, fmt.Errorf("PERIOD takes one metric")
	}
	return ofNumber(float64(args[0].series[0].Period)), nil
}

// timeSeries returns a series of a number, with the times of the request's metrics.
func timeSeries(e *evaluation, args []value) (value, error) {
	if args[0].form != isNumber {
		return args[0], nil
	}
	out := &Series{Values: map[int64]float64{}}
	for _, s := range e.Metrics {
		out.Period = max(out.Period, s.Period)
	}
	grid, err := e.grid(out)
	if err != nil {
		return value{}, err
	}
	for _, at := range grid {
		out.set(at, args[0].number)
	}
	return ofSeries(out), nil
}
