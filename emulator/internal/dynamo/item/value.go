package item

import (
	"encoding/binary"
	"iter"
)

// Value is an attribute value in its stored form. It is immutable, except by KeepSize, and nil means no value. It may
// share its bytes with the value that contains it.
type Value []byte

// Type is the type of a value. The zero Type belongs to no value.
type Type byte

// The ten types, in the service's order.
const (
	String Type = iota + 1
	Number
	Binary
	StringSet
	NumberSet
	BinarySet
	List
	Map
	Bool
	Null
)

// tagTrue is the tag of true; false has the tag Bool. Every other tag but tagItem is a Type.
const tagTrue = byte(Null) + 1

// tagItem is the tag of an item whose header has its size in place of its length (KeepSize). Such an item is never part
// of another value.
const tagItem = byte(Map) | 0x40

// containerHeader is the length of the header of a list, map or set: tag and uint32.
const containerHeader = 5

var typeNames = [...]string{"", "S", "N", "B", "SS", "NS", "BS", "L", "M", "BOOL", "NULL"}

// String returns the type's descriptor on the wire: S, N, B, SS, NS, BS, L, M, BOOL or NULL.
func (t Type) String() string { return typeNames[t] }

// IsSet reports whether t is one of the three set types.
func (t Type) IsSet() bool { return t >= StringSet && t <= BinarySet }

// member returns the type of a set's members.
func (t Type) member() Type { return t - StringSet + String }

// Type returns the value's type, 0 for nil.
func (v Value) Type() Type {
	if len(v) == 0 {
		return 0
	}
	switch v[0] {
	case tagTrue:
		return Bool
	case tagItem:
		return Map
	}
	return Type(v[0])
}

// Bool returns the truth of a Bool value.
func (v Value) Bool() bool { return v[0] == tagTrue }

// Bytes returns the payload of a string (UTF-8), number (canonical decimal text) or binary, or the encoded elements of
// a list, map or set.
func (v Value) Bytes() []byte {
	switch t := v.Type(); {
	case t >= StringSet && t <= Map:
		return v[containerHeader:]
	case t >= String && t <= Binary:
		_, n := uvarint(v[1:])
		return v[1+n:]
	}
	return nil
}

// Text returns Bytes as a string.
func (v Value) Text() string { return string(v.Bytes()) }

// split splits off the first of a sequence of values.
func split(seq []byte) (first Value, rest []byte) {
	n := length(seq)
	return Value(seq[:n:n]), seq[n:]
}

// length returns the length in bytes of the first value of seq.
func length(seq []byte) int {
	switch t := Type(seq[0]); {
	case t >= StringSet && t <= Map:
		return containerHeader + int(binary.LittleEndian.Uint32(seq[1:]))
	case t >= String && t <= Binary:
		n, w := uvarint(seq[1:])
		return 1 + w + n
	}
	return 1
}

// uvarint is binary.Uvarint with a fast path for one-byte lengths, which nearly all values have.
func uvarint(b []byte) (n, width int) {
	n, width = int(b[0]), 1
	if n >= 0x80 {
		n, width = longUvarint(b)
	}
	return
}

// longUvarint is not part of uvarint, so that the compiler inlines that.
func longUvarint(b []byte) (n, width int) {
	if b[1] < 0x80 {
		return int(b[0]&0x7f) | int(b[1])<<7, 2
	}
	long, w := binary.Uvarint(b)
	return int(long), w
}

// splitText splits off the first length-prefixed text (a name, or a set's member) of a sequence.
func splitText(seq []byte) (text, rest []byte) {
	n, w := uvarint(seq)
	return seq[w : w+n : w+n], seq[w+n:]
}

// Len returns the number of elements of a list, map or set.
func (v Value) Len() int {
	n := 0
	t := v.Type()
	for rest := v.Bytes(); len(rest) > 0; n++ {
		if t == List {
			_, rest = split(rest)
			continue
		}
		if _, rest = splitText(rest); t == Map {
			_, rest = split(rest)
		}
	}
	return n
}

// Elements yields the elements of a list, or the members of a set as values.
func (v Value) Elements() iter.Seq[Value] {
	t := v.Type()
	return func(yield func(Value) bool) {
		for rest := v.Bytes(); len(rest) > 0; {
			var e Value
			if t == List {
				e, rest = split(rest)
			} else {
				var text []byte
				text, rest = splitText(rest)
				e = scalar(t.member(), text)
			}
			if !yield(e) {
				return
			}
		}
	}
}

// Entries yields the entries of a map, sorted by name.
func (v Value) Entries() iter.Seq2[[]byte, Value] {
	return func(yield func([]byte, Value) bool) {
		for rest := v.Bytes(); len(rest) > 0; {
			var name []byte
			var e Value
			name, rest = splitText(rest)
			if e, rest = split(rest); !yield(name, e) {
				return
			}
		}
	}
}

// Index returns element i of a list, counted from 0.
func (v Value) Index(i int) (Value, bool) {
	if v.Type() != List || i < 0 {
		return nil, false
	}
	for rest := v.Bytes(); len(rest) > 0; i-- {
		var e Value
		if e, rest = split(rest); i == 0 {
			return e, true
		}
	}
	return nil, false
}

// Field returns the entry name of a map.
func (v Value) Field(name string) (Value, bool) {
	if v.Type() != Map {
		return nil, false
	}
	for rest := []byte(v[containerHeader:]); len(rest) > 0; {
		n, w := uvarint(rest)
		value := rest[w+n:]
		if n == len(name) && string(rest[w:w+n]) == name {
			e, _ := split(value)
			return e, true
		}
		rest = value[length(value):]
	}
	return nil, false
}
