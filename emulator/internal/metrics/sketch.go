package metrics

import (
	"math"
	"slices"
	"sort"
)

// bin counts the observations of nearly one value.
type bin struct {
	at int32 // see binOf
	n  uint32
}

// sketch is a distribution: bins in the order of their values. A bin is a 32nd of the value below it wide, so a
// percentile is within 1.6% of the exact one; integers up to 63 have a bin of their own and are exact.
type sketch []bin

// maxBins bounds a sketch. Latencies use a hundred; only made up values come near.
const maxBins = 1024

// binShift leaves a double its exponent and the first five bits of its fraction.
const binShift = 52 - 5

// binOf numbers the bin of a value, in the order of values.
func binOf(v float64) int32 {
	if v == 0 {
		return 0
	}
	i := int32(math.Float64bits(math.Abs(v))>>binShift) + 1
	if v < 0 {
		return -i
	}
	return i
}

// value is the value that stands for a bin.
func (b bin) value() float64 {
	switch {
	case b.at == 0:
		return 0
	case b.at < 0:
		return -bin{at: -b.at}.value()
	}
	low := math.Float64frombits(uint64(b.at-1) << binShift)
	if low < 64 && low == math.Trunc(low) {
		return low
	}
	return (low + math.Float64frombits(uint64(b.at)<<binShift)) / 2
}

// add counts n observations in a bin.
func (s sketch) add(at int32, n uint32) sketch {
	i := sort.Search(len(s), func(i int) bool { return s[i].at >= at })
	if i < len(s) && s[i].at == at {
		s[i].n = saturate(s[i].n, n)
		return s
	}
	if len(s) >= maxBins { // the nearest bin takes it
		i = min(i, len(s)-1)
		s[i].n = saturate(s[i].n, n)
		return s
	}
	return slices.Insert(s, i, bin{at, n})
}

func saturate(a, b uint32) uint32 {
	if a+b < a {
		return math.MaxUint32
	}
	return a + b
}

func (s sketch) merge(o sketch) sketch {
	for _, b := range o {
		s = s.add(b.at, b.n)
	}
	return s
}

// quantile is the value below or at which a part q, from 0 to 1, of the observations lie.
func (s sketch) quantile(q float64) float64 {
	var all uint64
	for _, b := range s {
		all += uint64(b.n)
	}
	rank := max(1, uint64(math.Ceil(q*float64(all)-1e-9)))
	var seen uint64
	for _, b := range s {
		if seen += uint64(b.n); seen >= rank {
			return b.value()
		}
	}
	return 0
}
