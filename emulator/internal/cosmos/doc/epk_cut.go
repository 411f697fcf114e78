package doc

import (
	"bytes"
	"math"
	"math/bits"
	"sort"
)

// EvenBoundaries divides the hash space into n ranges of equal size, as the service does. It returns the n-1 boundaries
// in ascending order. The ranges are ["", cut), [cut, next), … [last, FF).
func (d *PartitionKeyDefinition) EvenBoundaries(n int) []EPK {
	cuts := []EPK{}
	for i := 1; i < n; i++ {
		if d.Version < 2 && !d.Hierarchical() {
			cuts = append(cuts, appendNumberV1(nil, float64(math.MaxUint32/uint64(n)*uint64(i))))
			continue
		}
		cuts = append(cuts, share(uint64(i), uint64(n)))
	}
	return cuts
}

// share returns i times the n-th part of the highest hash, which has 126 bits.
func share(i, n uint64) EPK {
	high, rest := bits.Div64(0, 1<<62-1, n)
	low, _ := bits.Div64(rest, math.MaxUint64, n)
	carry, productLow := bits.Mul64(low, i)
	return join(high*i+carry, productLow)
}

func join(high, low uint64) EPK {
	e := make(EPK, epkSize)
	for i := range 8 {
		e[i], e[8+i] = byte(high>>(56-8*i)), byte(low>>(56-8*i))
	}
	return e
}

// Midpoint returns the key that halves the range [low, high), for a split; nil if the range is too narrow.
func (d *PartitionKeyDefinition) Midpoint(low, high EPK) EPK {
	middle := EPK(nil)
	if d.Version < 2 && !d.Hierarchical() {
		middle = midpointV1(low, high)
	} else {
		middle = midpointV2(low, high)
	}
	if bytes.Compare(middle, low) <= 0 || bytes.Compare(middle, high) >= 0 {
		return nil
	}
	return middle
}

func midpointV2(low, high EPK) EPK {
	lowHigh, lowLow := splitWords(low)
	highHigh, highLow := splitWords(high)
	sum, carry := bits.Add64(lowLow, highLow, 0)
	total, _ := bits.Add64(lowHigh, highHigh, carry) // no overflow: both have 126 bits, or 127 at the end
	return join(total>>1, total<<63|sum>>1)
}

// splitWords returns the first 16 bytes of a key as a number of 126 bits; the end, FF, is 2^126.
func splitWords(e EPK) (high, low uint64) {
	if len(e) > 0 && e[0] == 0xFF {
		return 1 << 62, 0
	}
	var room [epkSize]byte
	copy(room[:], e)
	for i := range 8 {
		high, low = high<<8|uint64(room[i]), low<<8|uint64(room[8+i])
	}
	return high, low
}

func midpointV1(low, high EPK) EPK {
	place := func(e EPK) int {
		return sort.Search(1<<32, func(h int) bool { return bytes.Compare(appendNumberV1(nil, float64(h)), e) >= 0 })
	}
	return appendNumberV1(nil, float64((place(low)+place(high))/2))
}
