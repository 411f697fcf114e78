package doc

import (
	"encoding/binary"
	"math"
)

// The encoding of a value in an index begins with its kind plus one, so that 00 sorts before every value: 00 ends
// arrays and objects. A string ends with 00 01, and a 00 in a string is encoded as 00 FF. A truncated value ends with
// 00 02. No encoding is a prefix of another.
const (
	keyEnd       = 0x00
	keyMember    = 0x01
	keyEscaped   = 0xFF
	keyStringEnd = 0x01
	keyCut       = 0x02
)

// AppendKey appends an encoding of a value whose byte order is the order of [Compare]. It appends at most limit + 2
// bytes. A longer encoding is truncated, and exact is false: values that differ only beyond the limit share one
// encoding, which sorts correctly among all other values.
func AppendKey(dst []byte, v Value, limit int) (key []byte, exact bool) {
	w := keyWriter{dst: dst, end: len(dst) + limit}
	w.value(v)
	if len(w.dst) <= w.end {
		return w.dst, true
	}
	return append(w.dst[:w.end], 0, keyCut), false
}

// keyWriter writes up to an end, and stops soon after it.
type keyWriter struct {
	dst []byte
	end int
}

func (w *keyWriter) full() bool { return len(w.dst) > w.end }

func (w *keyWriter) value(v Value) {
	w.dst = append(w.dst, byte(v.kind)+1)
	switch v.kind {
	case Boolean:
		w.dst = append(w.dst, byte(v.num))
	case Numeric:
		w.dst = appendKeyNumber(w.dst, v.num)
	case Text:
		w.text(v.str)
	case List:
		for i := 0; i < len(v.list) && !w.full(); i++ {
			w.value(v.list[i])
		}
		w.dst = append(w.dst, keyEnd)
	case Map:
		w.object(v.members)
	}
}

func (w *keyWriter) text(s string) {
	for i := 0; i < len(s) && !w.full(); i++ {
		w.dst = append(w.dst, s[i])
		if s[i] == 0 {
			w.dst = append(w.dst, keyEscaped)
		}
	}
	w.dst = append(w.dst, 0, keyStringEnd)
}

func (w *keyWriter) object(members []Member) {
	for _, m := range byName(members) {
		if w.full() {
			break
		}
		w.dst = append(w.dst, keyMember)
		w.text(m.Name)
		w.value(m.Value)
	}
	w.dst = append(w.dst, keyEnd)
}

// appendKeyNumber appends a number in eight bytes: with the sign bit flipped, or all bits of a negative number.
func appendKeyNumber(dst []byte, n float64) []byte {
	bits := math.Float64bits(n + 0) // -0 becomes 0
	if bits&(1<<63) != 0 {
		bits = ^bits
	} else {
		bits |= 1 << 63
	}
	return binary.BigEndian.AppendUint64(dst, bits)
}

// KindKey returns the prefix of the encodings of all values of a kind.
func KindKey(k Kind) []byte { return []byte{byte(k) + 1} }

// AppendPrefixKey appends the common prefix of the encodings of all strings with a prefix, up to the limit.
func AppendPrefixKey(dst []byte, prefix string, limit int) []byte {
	w := keyWriter{dst: append(dst, byte(Text)+1), end: len(dst) + limit}
	w.text(prefix)
	return w.dst[:min(len(w.dst)-2, w.end)] // without the terminator
}

// InvertKey complements the bytes of an encoding, which reverses its order.
func InvertKey(key []byte) {
	for i := range key {
		key[i] = ^key[i]
	}
}
