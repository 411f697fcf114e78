package metrics

import (
	"math"
	"slices"
	"sort"
)

// bin counts the observations of nearly equal values.
type bin struct {
	at int32 // see binOf
	n  uint32
}

// sketch is a distribution: bins in the order of their values. The width of a bin is a 32nd of the power of two below
// its value, so a percentile is within 1.6% of the exact one; integers up to 63 have a bin of their own and are exact.
type sketch []bin

// maxBins limits a sketch. Latencies use a hundred; only artificial values come near.
const maxBins = 1024

// binShift leaves the exponent and the first five bits of the fraction of a float64.
const binShift = 52 - 5

// binOf returns the number of a value's bin, in the order of values.
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

// value returns the value that represents a bin.
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

// quantile returns the value that a share q, from 0 to 1, of the observations do not exceed.
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
