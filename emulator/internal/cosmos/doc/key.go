package doc

import (
	"encoding/binary"
	"math"
)

// What the encoding of a value in an index begins with is its kind and one more, so that 00 is below every value: it
// ends an array, and an object. A string ends with 00 01, a 00 in it is written 00 FF, and what was cut ends with 00
// 02. No encoding begins another.
const (
	keyEnd       = 0x00
	keyMember    = 0x01
	keyEscaped   = 0xFF
	keyStringEnd = 0x01
	keyCut       = 0x02
)

// AppendKey writes a value so that the order of the bytes is the order of [Compare]. At most limit bytes, and two more,
// are written: of a value that needs more the encoding is not exact, but says only where its beginning lies. Values
// that differ behind it have one encoding, which lies between those of the values before and behind them all.
func AppendKey(dst []byte, v Value, limit int) (key []byte, exact bool) {
	w := keyWriter{dst: dst, end: len(dst) + limit}
	w.value(v)
	if len(w.dst) <= w.end {
		return w.dst, true
	}
	return append(w.dst[:w.end], 0, keyCut), false
}

// keyWriter writes up to an end, and stops soon behind it.
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

// appendKeyNumber writes a number in eight bytes: the sign bit turned, and all bits of a negative one.
func appendKeyNumber(dst []byte, n float64) []byte {
	bits := math.Float64bits(n + 0) // -0 is 0
	if bits&(1<<63) != 0 {
		bits = ^bits
	} else {
		bits |= 1 << 63
	}
	return binary.BigEndian.AppendUint64(dst, bits)
}

// KindKey is what the encodings of all values of a kind begin with.
func KindKey(k Kind) []byte { return []byte{byte(k) + 1} }

// AppendPrefixKey writes what the encodings of all strings begin with that begin with a prefix, as far as limit lets
// them be told apart.
func AppendPrefixKey(dst []byte, prefix string, limit int) []byte {
	w := keyWriter{dst: append(dst, byte(Text)+1), end: len(dst) + limit}
	w.text(prefix)
	return w.dst[:min(len(w.dst)-2, w.end)] // without its end
}

// InvertKey turns the bytes of an encoding around, so that it sorts the other way.
func InvertKey(key []byte) {
	for i := range key {
		key[i] = ^key[i]
	}
}
