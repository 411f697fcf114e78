package item

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strconv"
)

// Entry is one name and value of a map.
type Entry struct {
	Name  string
	Value Value
}

// Empty is the map without entries: an item that does not exist, for expressions to look at.
var Empty = Value{byte(Map), 0, 0, 0, 0}

// scalar builds a string, number or binary value.
func scalar(t Type, payload []byte) Value {
	v := make(Value, 0, 1+binary.MaxVarintLen32+len(payload))
	return appendScalar(v, t, payload)
}

func appendScalar(dst []byte, t Type, payload []byte) []byte {
	return appendText(append(dst, byte(t)), payload)
}

func appendText(dst, text []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(text))), text...)
}

// NewString is a string value.
func NewString(text string) Value { return scalar(String, []byte(text)) }

// NewBinary is a binary value.
func NewBinary(b []byte) Value { return scalar(Binary, b) }

// NewInt is a number value.
func NewInt(i int64) Value { return scalar(Number, strconv.AppendInt(nil, i, 10)) }

// NewNumber is the number that text says, in any of the forms that the service takes. It is a
// *NumberError if text says none, or one out of range.
func NewNumber(text string) (Value, error) {
	canonical, err := appendCanonical(nil, []byte(text))
	if err != nil {
		return nil, err
	}
	return scalar(Number, canonical), nil
}

// NewBool is a Boolean value.
func NewBool(b bool) Value {
	if b {
		return Value{tagTrue}
	}
	return Value{byte(Bool)}
}

// NewNull is the null value.
func NewNull() Value { return Value{byte(Null)} }

// NewList is a list of values.
func NewList(elements ...Value) Value {
	dst, at := openContainer(nil, List)
	for _, e := range elements {
		dst = append(dst, e...)
	}
	return closeContainer(dst, at)
}

// Concat is the list of the elements of a and then those of b, two lists.
func Concat(a, b Value) Value {
	return closeContainer(slices.Concat(a, b.Bytes()), 0)
}

// NewMap is a map of entries; of several with one name the last one counts.
func NewMap(entries ...Entry) Value {
	v := Empty
	for _, e := range entries {
		v = v.With(e.Name, e.Value)
	}
	return v
}

// NewSet is a set of type t; members that are there already are left out.
func NewSet(t Type, members ...Value) Value {
	all, at := openContainer(nil, t)
	for _, m := range members {
		all = appendText(all, m.Bytes())
	}
	all = closeContainer(all, at)
	if !hasDuplicates(all[containerHeader:]) {
		return all
	}
	v := Value(closeContainer([]byte{byte(t), 0, 0, 0, 0}, 0))
	for _, m := range members {
		if !v.Contains(m) {
			v = closeContainer(appendText(v, m.Bytes()), 0)
		}
	}
	return v
}

// openContainer begins a list, map or set at the end of dst; closeContainer ends the one that began at at.
func openContainer(dst []byte, t Type) (grown []byte, at int) {
	return append(dst, byte(t), 0, 0, 0, 0), len(dst)
}

func closeContainer(dst []byte, at int) []byte {
	binary.LittleEndian.PutUint32(dst[at+1:], uint32(len(dst)-at-containerHeader))
	return dst
}

// With is the map v with the entry set to f.
func (v Value) With(name string, f Value) Value {
	before, after := v.around(name)
	dst := make([]byte, 0, len(v)+len(name)+binary.MaxVarintLen32+len(f))
	dst, at := openContainer(dst, Map)
	dst = append(dst, before...)
	dst = appendText(dst, []byte(name))
	dst = append(dst, f...)
	return closeContainer(append(dst, after...), at)
}

// Without is the map v with no such entry.
func (v Value) Without(name string) Value {
	before, after := v.around(name)
	if len(before)+len(after) == len(v)-containerHeader {
		return v
	}
	dst, at := openContainer(make([]byte, 0, len(v)), Map)
	return closeContainer(append(append(dst, before...), after...), at)
}

// around gives the entries of a map that come before and after name.
func (v Value) around(name string) (before, after []byte) {
	entries := v.Bytes()
	for rest := entries; len(rest) > 0; {
		start := len(entries) - len(rest)
		key, tail := splitText(rest)
		_, tail = split(tail)
		switch bytes.Compare(key, []byte(name)) {
		case 0:
			return entries[:start], tail
		case 1:
			return entries[:start], rest
		}
		rest = tail
	}
	return entries, nil
}

// WithIndex is the list v with element i set to e; from its length on, e is appended.
func (v Value) WithIndex(i int, e Value) Value {
	return v.splice(i, e)
}

// WithoutIndex is the list v without element i.
func (v Value) WithoutIndex(i int) Value {
	return v.splice(i, nil)
}

func (v Value) splice(i int, e Value) Value {
	elements := v.Bytes()
	rest := elements
	for ; i > 0 && len(rest) > 0; i-- {
		_, rest = split(rest)
	}
	start := len(elements) - len(rest)
	if len(rest) > 0 {
		_, rest = split(rest)
	}
	dst, at := openContainer(make([]byte, 0, len(v)+len(e)), List)
	return closeContainer(slices.Concat(dst, elements[:start], e, rest), at)
}
