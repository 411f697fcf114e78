package store

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// ErrKey is returned for bytes that are not a key part as the Append functions encode it, and for a key that cannot be
// set.
var ErrKey = errors.New("malformed key")

// A byte string in a key ends with 0x00 0x01, and each 0x00 in it is encoded as 0x00 0xff. So the order of encoded keys
// is the order of the strings, a prefix before its extensions, whatever follows.
const (
	escape     = 0x00
	escapedNul = 0xff
	terminator = 0x01
)

// AppendEscaped appends b as a part of a composite key, in an encoding that keeps b's order and marks its end.
func AppendEscaped(dst, b []byte) []byte {
	for {
		i := bytes.IndexByte(b, escape)
		if i < 0 {
			break
		}
		dst = append(dst, b[:i]...)
		dst = append(dst, escape, escapedNul)
		b = b[i+1:]
	}
	dst = append(dst, b...)
	return append(dst, escape, terminator)
}

// DecodeEscaped splits key into the string that [AppendEscaped] encoded at its start and the rest. The string shares
// key's memory if nothing in it was escaped.
func DecodeEscaped(key []byte) (b, rest []byte, err error) {
	for whole := true; ; whole = false {
		i := bytes.IndexByte(key, escape)
		if i < 0 || i+1 == len(key) {
			return nil, nil, ErrKey
		}
		mark := key[i+1]
		if mark == terminator && whole {
			return key[:i:i], key[i+2:], nil
		}
		b = append(b, key[:i]...)
		key = key[i+2:]
		switch mark {
		case terminator:
			return b, key, nil
		case escapedNul:
			b = append(b, escape)
		default:
			return nil, nil, ErrKey
		}
	}
}

// AppendUint32 appends n as four bytes whose order is the order of numbers.
func AppendUint32(dst []byte, n uint32) []byte { return binary.BigEndian.AppendUint32(dst, n) }

// AppendUint64 appends n as eight bytes whose order is the order of numbers.
func AppendUint64(dst []byte, n uint64) []byte { return binary.BigEndian.AppendUint64(dst, n) }

// DecodeUint64 splits key into the number that [AppendUint64] encoded at its start and the rest.
func DecodeUint64(key []byte) (n uint64, rest []byte, err error) {
	if len(key) < 8 {
		return 0, nil, ErrKey
	}
	return binary.BigEndian.Uint64(key), key[8:], nil
}

// PrefixEnd returns the first key after all keys that start with prefix, the hi of their range, or nil, no bound, if
// there is none.
func PrefixEnd(prefix []byte) []byte {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] < 0xff {
			end := bytes.Clone(prefix[:i+1])
			end[i]++
			return end
		}
	}
	return nil
}
