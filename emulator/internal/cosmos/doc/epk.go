package doc

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/twmb/murmur3"
)

// EPK is an effective partition key: the position of a logical partition in the hash space, which physical partitions
// divide into ranges. The order of its bytes is the order of the hash space. Version 2 of the hash yields 16 bytes per
// component, version 1 a variable number. A boundary may be shorter than a key; the empty boundary is below all keys.
type EPK []byte

// MaxEPK returns a boundary above all keys: the first byte of a key is at most 3F.
func MaxEPK() EPK { return EPK{0xFF} }

// Hex returns the key in upper-case hexadecimal, as in partition key ranges and headers.
func (e EPK) Hex() string { return strings.ToUpper(hex.EncodeToString(e)) }

// ErrEPK is the error for text that is not an effective partition key.
var ErrEPK = errors.New("an effective partition key is an even number of hexadecimal digits")

// maxEPK is more than the length of any key in bytes: three components of 16 bytes, or 112 bytes in version 1, plus the
// FF of a boundary.
const maxEPK = 128

// ParseEPK parses hexadecimal digits, as Hex returns, in either case. Errors: ErrEPK.
func ParseEPK(text string) (EPK, error) {
	e, err := hex.DecodeString(text)
	if err != nil || len(e) > maxEPK {
		return nil, ErrEPK
	}
	return e, nil
}

// EPK returns the effective partition key of a key. For a prefix of a hierarchical key it is the common prefix of all
// keys with that prefix. In a definition with one level, an empty key counts as undefined.
func (d *PartitionKeyDefinition) EPK(k PartitionKey) EPK {
	switch {
	case d.Hierarchical():
		all := make(EPK, 0, epkSize*len(k))
		for i := range k {
			all = append(all, hashV2(k[i:i+1])...)
		}
		return all
	case len(k) == 0:
		k = PartitionKey{Value{}}
	}
	if d.Version < 2 {
		return hashV1(k)
	}
	return hashV2(k)
}

// SharesEPK reports whether other keys may have the EPK of a key: version 1 of the hash truncates strings.
func (d *PartitionKeyDefinition) SharesEPK(k PartitionKey) bool {
	return d.Version < 2 && !d.Hierarchical() &&
		slices.ContainsFunc(k, func(v Value) bool { return len(v.Str()) >= v1Limit })
}

// Range returns the range [lowest, beyond) of the hash space of the keys with a prefix: a single key if the prefix is
// complete.
func (d *PartitionKeyDefinition) Range(prefix PartitionKey) (lowest, beyond EPK) {
	lowest = d.EPK(prefix)
	if d.Hierarchical() && len(prefix) < len(d.Paths) {
		return lowest, append(slices.Clone(lowest), 0xFF)
	}
	return lowest, append(slices.Clone(lowest), 0)
}

// epkSize is the size of a component's hash in bytes.
const epkSize = 16

// hashV2 returns the big-endian MurmurHash3-128 without its two highest bits, so that FF can mark the end.
func hashV2(k PartitionKey) EPK {
	var buf [256]byte
	low, high := murmur3.Sum128(appendForHash(buf[:0], k, false))
	e := binary.BigEndian.AppendUint64(make(EPK, 0, epkSize), high)
	e = binary.BigEndian.AppendUint64(e, low)
	e[0] &= 0x3F
	return e
}

// The first bytes of components, in both versions.
const (
	tagUndefined = 0x00
	tagNull      = 0x01
	tagFalse     = 0x02
	tagTrue      = 0x03
	tagNumber    = 0x05
	tagText      = 0x08
)

// tag returns the first byte of a component.
func tag(v Value) byte {
	switch v.Kind() {
	case Null:
		return tagNull
	case Boolean:
		if v.IsTrue() {
			return tagTrue
		}
		return tagFalse
	case Numeric:
		return tagNumber
	case Text:
		return tagText
	}
	return tagUndefined
}

// appendForHash appends the components in the form that is hashed. Version 1 ends a string with 00 and truncates it.
func appendForHash(dst []byte, k PartitionKey, v1 bool) []byte {
	for _, v := range k {
		dst = append(dst, tag(v))
		switch {
		case v.Kind() == Numeric:
			dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(v.Float()))
		case v.Kind() == Text && v1:
			dst = append(append(dst, truncateV1(v.Str())...), 0)
		case v.Kind() == Text:
			dst = append(append(dst, v.Str()...), 0xFF)
		}
	}
	return dst
}
