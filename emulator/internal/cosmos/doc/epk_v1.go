package doc

import (
	"math"
	"unicode/utf16"

	"github.com/twmb/murmur3"
)

// Version 1 of the hash, for containers whose definition has version 1 or none: the MurmurHash3-32 of the components,
// followed by the components themselves, in an order-preserving encoding.

// v1Limit is the number of UTF-16 units of a string that are hashed. It also is the number of its bytes in the key; if
// there are more, one further byte replaces the terminator.
const v1Limit = 100

func hashV1(k PartitionKey) EPK {
	var room [128]byte
	e := appendNumberV1(make(EPK, 0, maxEPK), float64(murmur3.Sum32(appendForHash(room[:0], k, true))))
	for _, v := range k {
		switch v.Kind() {
		case Numeric:
			e = appendNumberV1(e, v.Float())
		case Text:
			e = appendTextV1(append(e, tagText), truncateV1(v.Str()))
		default:
			e = append(e, tag(v))
		}
	}
	return e
}

// truncateV1 returns the part of a string that is hashed. A character that the limit would split becomes U+FFFD.
func truncateV1(s string) string {
	units := 0
	for i, r := range s {
		if units == v1Limit {
			return s[:i]
		}
		if units += utf16.RuneLen(r); units > v1Limit {
			return s[:i] + "\ufffd"
		}
	}
	return s
}

func appendTextV1(dst []byte, s string) []byte {
	for i := 0; i < len(s) && i <= v1Limit; i++ {
		dst = append(dst, s[i]+1)
	}
	if len(s) <= v1Limit {
		dst = append(dst, 0)
	}
	return dst
}

// appendNumberV1 appends a number in as few bytes as preserve its order: first eight bits, then seven per byte, whose
// lowest bit says that another byte follows.
func appendNumberV1(dst []byte, n float64) []byte {
	bits := math.Float64bits(n)
	if n < 0 || math.Signbit(n) {
		bits = -bits
	} else {
		bits ^= 1 << 63
	}
	dst = append(dst, tagNumber, byte(bits>>56))
	bits <<= 8
	if bits == 0 {
		return append(dst, 0)
	}
	for ; bits != 0; bits <<= 7 {
		dst = append(dst, byte(bits>>56)|1)
	}
	dst[len(dst)-1] &^= 1
	return dst
}
