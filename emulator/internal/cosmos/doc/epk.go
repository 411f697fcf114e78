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

// EPK is an effective partition key: where a logical partition lies in the space of hashes, which physical partitions
// cut into ranges. The order of its bytes is the order of that space. The second version of the hash gives 16 bytes for
// each component, the first a varying number. A boundary may be shorter than a key; the empty one is below all keys.
type EPK []byte

// MaxEPK is above all keys: no key's first byte is beyond 3F.
func MaxEPK() EPK { return EPK{0xFF} }

// Hex is the key as pkranges and headers have it, in upper case.
func (e EPK) Hex() string { return strings.ToUpper(hex.EncodeToString(e)) }

// ErrEPK is a text that is no effective partition key.
var ErrEPK = errors.New("an effective partition key is an even number of hexadecimal digits")

// maxEPK is longer than any key: three components of 16 bytes, or 112 bytes of the first version, and a boundary's FF.
const maxEPK = 128

// ParseEPK reads what Hex writes, in either case. The error is ErrEPK.
func ParseEPK(text string) (EPK, error) {
	e, err := hex.DecodeString(text)
	if err != nil || len(e) > maxEPK {
		return nil, ErrEPK
	}
	return e, nil
}

// EPK is the effective partition key of a key. Of fewer components than a hierarchical key has levels it is their
// common beginning. A key of no component counts as undefined where the key has one level.
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

// Range is the part [min, max) of the hash space where the keys lie that begin with prefix: one key alone if prefix is
// whole.
func (d *PartitionKeyDefinition) Range(prefix PartitionKey) (lowest, beyond EPK) {
	lowest = d.EPK(prefix)
	if d.Hierarchical() && len(prefix) < len(d.Paths) {
		return lowest, append(slices.Clone(lowest), 0xFF)
	}
	return lowest, append(slices.Clone(lowest), 0)
}

// epkSize is the size of a component's hash in bytes.
const epkSize = 16

// hashV2 is MurmurHash3-128, the most significant byte first, without its two highest bits: so FF is free to mean the
// end.
func hashV2(k PartitionKey) EPK {
	var room [256]byte
	low, high := murmur3.Sum128(appendForHash(room[:0], k, false))
	e := binary.BigEndian.AppendUint64(make(EPK, 0, epkSize), high)
	e = binary.BigEndian.AppendUint64(e, low)
	e[0] &= 0x3F
	return e
}

// What a component begins with, in both versions.
const (
	tagUndefined = 0x00
	tagNull      = 0x01
	tagFalse     = 0x02
	tagTrue      = 0x03
	tagNumber    = 0x05
	tagText      = 0x08
)

// tag is the first byte of a component.
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

// appendForHash writes the components as they are hashed. The first version ends a string with 00 and looks at its
// beginning only.
func appendForHash(dst []byte, k PartitionKey, v1 bool) []byte {
	for _, v := range k {
		dst = append(dst, tag(v))
		switch {
		case v.Kind() == Numeric:
			dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(v.Float()))
		case v.Kind() == Text && v1:
			dst = append(append(dst, cutV1(v.Str())...), 0)
		case v.Kind() == Text:
			dst = append(append(dst, v.Str()...), 0xFF)
		}
	}
	return dst
}
