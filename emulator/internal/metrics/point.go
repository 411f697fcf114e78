package metrics

import (
	"math"
	"slices"
)

// Point is the observations of one period.
type Point struct {
	At    int64 // the period's first second, since 1970
	Count float64
	Sum   float64
	Min   float64
	Max   float64

	bins sketch
}

// add adds n observations of one value.
func (p *Point) add(v, n float64) {
	if p.Count == 0 {
		p.Min, p.Max = v, v
	} else {
		p.Min, p.Max = min(p.Min, v), max(p.Max, v)
	}
	p.Count += n
	p.Sum += v * n
	p.bins = p.bins.add(binOf(v), uint32(min(math.MaxUint32, max(1, n))))
}

// merge adds the observations of another point, which does not change.
func (p *Point) merge(o *Point) {
	if o.Count == 0 {
		return
	}
	if p.Count == 0 {
		p.Min, p.Max = o.Min, o.Max
	} else {
		p.Min, p.Max = min(p.Min, o.Min), max(p.Max, o.Max)
	}
	p.Count += o.Count
	p.Sum += o.Sum
	p.bins = p.bins.merge(o.bins)
}

// Average returns the sum divided by the count.
func (p *Point) Average() float64 { return p.Sum / p.Count }

// Percentile returns the value that percent of the observations do not exceed: within 1.6%, and exact for integers up
// to 63. ok is false for observations that were added as statistics, which have no percentiles.
func (p *Point) Percentile(percent float64) (value float64, ok bool) {
	if len(p.bins) == 0 {
		return 0, false
	}
	return min(p.Max, max(p.Min, p.bins.quantile(percent/100))), true
}

// set returns a point of statistics that were computed elsewhere. It has no distribution unless all its values are
// equal.
func set(count, sum, low, high float64) Point {
	p := Point{Count: count, Sum: sum, Min: low, Max: high}
	if low == high {
		p.bins = sketch{{binOf(low), uint32(min(math.MaxUint32, max(1, count)))}}
	}
	return p
}

// copied returns a deep copy of p.
func (p *Point) copied() Point {
	c := *p
	c.bins = slices.Clone(p.bins)
	return c
}
