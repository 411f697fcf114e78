package doc

import (
	"math"
	"unicode/utf16"

	"github.com/twmb/murmur3"
)

// The first version of the hash, of containers whose definition says 1 or nothing: the number that MurmurHash3-32
// gives, then the components themselves, all in an encoding whose byte order is theirs.

// v1Limit is how much of a string counts, in UTF-16 units, and how many of its bytes are written before one more takes
// the place of the end.
const v1Limit = 100

func hashV1(k PartitionKey) EPK {
	var room [128]byte
	e := appendNumberV1(make(EPK, 0, maxEPK), float64(murmur3.Sum32(appendForHash(room[:0], k, true))))
	for _, v := range k {
		switch v.Kind() {
		case Numeric:
			e = appendNumberV1(e, v.Float())
		case Text:
			e = appendTextV1(append(e, tagText), cutV1(v.Str()))
		default:
			e = append(e, tag(v))
		}
	}
	return e
}

// cutV1 is the part of a string that counts. A character that the limit would halve becomes U+FFFD.
func cutV1(s string) string {
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

// appendNumberV1 writes a number in as few bytes as keep its order: eight bits, then seven a byte, the lowest bit of a
// byte saying that another follows.
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
