package item

import (
	"cmp"
	"math/bits"
	"slices"
)

// The service returns number sets in one of two orders: sorted, or in the order of a Java HashSet of BigDecimal values
// that were added in ascending order. (nubo-db/dynoxide, captures of ten regions on 2026-10-09; us-east-1 is one of
// those that use both.)

// The parameters of java.util.HashMap.
const (
	initialBuckets   = 16
	maxResizedBucket = 64 // buckets; a smaller table grows instead of turning a long bucket into a tree
	longBucket       = 9  // entries
)

// inHashOrder returns the members of a number set in the order of the Java HashSet. Java turns a bucket of nine or more
// entries in a table of 64 or more buckets into a tree. Trees are not modelled: their entries stay in ascending order.
// Only nine numbers whose hashes end in the same six bits make one.
func inHashOrder(members []byte) []byte {
	parts := splitMembers(sortedMembers(Number, members))
	if len(parts) < 2 {
		return members
	}
	hashes := make([]uint32, len(parts))
	for i, m := range parts {
		h := uint32(javaHash(canonicalDecimal(m)))
		hashes[i] = h ^ h>>16
	}
	buckets := uint32(bucketCount(hashes))
	order := make([]int, len(parts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(hashes[a]&(buckets-1), hashes[b]&(buckets-1))
	})
	ordered := make([][]byte, len(parts))
	for i, at := range order {
		ordered[i] = parts[at]
	}
	return joinMembers(ordered, len(members))
}

// bucketCount returns the size of the table after the entries with these hashes were added one by one.
func bucketCount(hashes []uint32) int {
	count := initialBuckets
	inBucket := make([]int, count)
	grow := func(entries []uint32) {
		count *= 2
		inBucket = make([]int, count)
		for _, h := range entries {
			inBucket[h&uint32(count-1)]++
		}
	}
	for i, h := range hashes {
		at := h & uint32(count-1)
		inBucket[at]++
		if inBucket[at] >= longBucket && count < maxResizedBucket {
			grow(hashes[:i+1])
		}
		if i+1 > count/4*3 {
			grow(hashes[:i+1])
		}
	}
	return count
}

// javaHash returns BigDecimal.hashCode() of the number without trailing zeros: 31 * hash of the unscaled value + scale.
// The hash of a BigInteger is that of its 32-bit words, the most significant first, with its sign.
func javaHash(d decimal) int32 {
	if len(d.digits) == 0 {
		return 0
	}
	var hi, lo uint64 // 38 digits take 127 bits
	for _, digit := range d.digits {
		carry, low := bits.Mul64(lo, 10)
		var overflow uint64
		lo, overflow = bits.Add64(low, uint64(digit-'0'), 0)
		hi = hi*10 + carry + overflow
	}
	var hash int32
	for _, word := range [...]uint32{uint32(hi >> 32), uint32(hi), uint32(lo >> 32), uint32(lo)} {
		hash = 31*hash + int32(word) // leading zero words leave it 0
	}
	if d.negative {
		hash = -hash
	}
	return 31*hash + int32(len(d.digits)-d.point)
}
