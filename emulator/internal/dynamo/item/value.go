package item

import (
	"encoding/binary"
	"iter"
)

// Value is an attribute value in its stored form: immutable, and nil where there is none. It may share
// its bytes with the value that it was taken from.
type Value []byte

// Type is the type of a value. The zero Type belongs to no value.
type Type byte

// The ten types, in the order in which the service lists them.
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

// tagTrue stands for a Bool that is true; a false one has the tag of its type. Every other tag is a type.
const tagTrue = byte(Null) + 1

// containerHeader is the length of what stands before the elements of a list, map or set: tag and uint32.
const containerHeader = 5

var typeNames = [...]string{"", "S", "N", "B", "SS", "NS", "BS", "L", "M", "BOOL", "NULL"}

// String is the type's descriptor on the wire: S, N, B, SS, NS, BS, L, M, BOOL or NULL.
func (t Type) String() string { return typeNames[t] }

// IsSet says whether t is one of the three set types.
func (t Type) IsSet() bool { return t >= StringSet && t <= BinarySet }

// member is the type of a set's members.
func (t Type) member() Type { return t - StringSet + String }

// Type is the value's type, 0 for nil.
func (v Value) Type() Type {
	if len(v) == 0 {
		return 0
	}
	if v[0] == tagTrue {
		return Bool
	}
	return Type(v[0])
}

// Bool is the truth of a Bool value.
func (v Value) Bool() bool { return v[0] == tagTrue }

// Bytes is the payload of a string, number or binary value: its UTF-8 text, its canonical decimal text,
// its bytes. Of a list, map or set it is the encoded elements.
func (v Value) Bytes() []byte {
	switch t := v.Type(); {
	case t >= StringSet && t <= Map:
		return v[containerHeader:]
	case t >= String && t <= Binary:
		_, n := binary.Uvarint(v[1:])
		return v[1+n:]
	}
	return nil
}

// Text is Bytes as a string.
func (v Value) Text() string { return string(v.Bytes()) }

// split takes the first value off a sequence of values.
func split(seq []byte) (first Value, rest []byte) {
	n := length(seq)
	return Value(seq[:n:n]), seq[n:]
}

// length is how many bytes the value at the front of seq takes.
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

// uvarint is binary.Uvarint, with the one-byte lengths that nearly all values have taken first.
func uvarint(b []byte) (n, width int) {
	if b[0] < 0x80 {
		return int(b[0]), 1
	}
	long, w := binary.Uvarint(b)
	return int(long), w
}

// splitText takes the first length-prefixed text (a name, or a set's member) off a sequence.
func splitText(seq []byte) (text, rest []byte) {
	n, w := uvarint(seq)
	return seq[w : w+n : w+n], seq[w+n:]
}

// Len counts the elements of a list, map or set.
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

// Elements yields the elements of a list, or the members of a set as values of their own.
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

// Entries yields the entries of a map, by name.
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

// Index is element i of a list, counted from 0.
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

// Field is the entry of that name in a map.
func (v Value) Field(name string) (Value, bool) {
	if v.Type() != Map {
		return nil, false
	}
	rest := []byte(v[containerHeader:])
	for len(rest) > 0 {
		var key []byte
		key, rest = splitText(rest)
		if string(key) == name {
			e, _ := split(rest)
			return e, true
		}
		rest = rest[length(rest):]
	}
	return nil, false
}
