package item

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Entry is a name and a value of a map.
type Entry struct {
	Name  string
	Value Value
}

// Empty is the empty map, which stands for an item that does not exist in expressions.
var Empty = Value{byte(Map), 0, 0, 0, 0}

// scalar returns a string, number or binary.
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

// NewString returns a string.
func NewString(text string) Value { return scalar(String, []byte(text)) }

// NewBinary returns a binary.
func NewBinary(b []byte) Value { return scalar(Binary, b) }

// NewInt returns a number.
func NewInt(i int64) Value { return scalar(Number, strconv.AppendInt(nil, i, 10)) }

// NewNumber returns the number in text, in any form that the service accepts. Error: a *NumberError if text is not a
// number, or one out of range.
func NewNumber(text string) (Value, error) {
	canonical, err := appendCanonical(nil, []byte(text))
	if err != nil {
		return nil, err
	}
	return scalar(Number, canonical), nil
}

// NewBool returns a boolean.
func NewBool(b bool) Value {
	if b {
		return Value{tagTrue}
	}
	return Value{byte(Bool)}
}

// NewNull returns the null value.
func NewNull() Value { return Value{byte(Null)} }

// NewList returns a list.
func NewList(elements ...Value) Value {
	dst, at := AppendOpen(nil, List)
	for _, e := range elements {
		dst = append(dst, e.Plain()...)
	}
	return AppendClose(dst, at)
}

// Concat returns the elements of list a followed by those of list b.
func Concat(a, b Value) Value {
	return AppendClose(slices.Concat(a, b.Bytes()), 0)
}

// NewMap returns a map. Of several entries with one name, the last one counts.
func NewMap(entries ...Entry) Value {
	v := Empty
	for _, e := range entries {
		v = v.With(e.Name, e.Value)
	}
	return v
}

// NewSet returns a set of type t. Repeated members are omitted.
func NewSet(t Type, members ...Value) Value {
	var all []byte
	for _, m := range members {
		all = appendText(all, m.Bytes())
	}
	dst, at := AppendOpen(nil, t)
	return AppendClose(append(dst, sortedMembers(t.member(), all)...), at)
}

// AppendOpen begins a list, map or set at the end of dst. Its values are appended next, in a map each after its name.
// Then AppendClose ends it.
func AppendOpen(dst []byte, t Type) (grown []byte, at int) {
	return append(dst, byte(t), 0, 0, 0, 0), len(dst)
}

// AppendClose ends the list, map or set that begins at at.
func AppendClose(dst []byte, at int) []byte {
	binary.LittleEndian.PutUint32(dst[at+1:], uint32(len(dst)-at-containerHeader))
	return dst
}

// AppendName appends the name of a map's next entry. Names are in ascending order.
func AppendName(dst []byte, name string) []byte { return appendText(dst, []byte(name)) }

// With returns the map v with the entry name set to f.
func (v Value) With(name string, f Value) Value {
	before, after := v.around(name)
	dst := make([]byte, 0, len(v)+len(name)+binary.MaxVarintLen32+len(f))
	dst, at := AppendOpen(dst, Map)
	dst = append(dst, before...)
	dst = AppendName(dst, name)
	dst = append(dst, f.Plain()...)
	return AppendClose(append(dst, after...), at)
}

// Without returns the map v without the entry name.
func (v Value) Without(name string) Value {
	before, after := v.around(name)
	if len(before)+len(after) == len(v)-containerHeader {
		return v
	}
	dst, at := AppendOpen(make([]byte, 0, len(v)), Map)
	return AppendClose(append(append(dst, before...), after...), at)
}

// around returns the entries of a map before and after name.
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

// WithIndex returns the list v with element i set to e. If i is beyond the end, e is appended.
func (v Value) WithIndex(i int, e Value) Value {
	return v.splice(i, e)
}

// WithoutIndex returns the list v without element i.
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
	dst, at := AppendOpen(make([]byte, 0, len(v)+len(e)), List)
	return AppendClose(slices.Concat(dst, elements[:start], e.Plain(), rest), at)
}

// NewFloats returns a list of numbers in single precision, as the service writes vectors: with a fraction, 1.0. The
// list is for answers only: its numbers are not in their canonical form.
func NewFloats(values []float32) Value {
	dst, at := AppendOpen(nil, List)
	for _, f := range values {
		dst = appendScalar(dst, Number, appendFloat(nil, f))
	}
	return AppendClose(dst, at)
}

// appendFloat writes a number with the fewest digits that identify it; a large or small one with an exponent.
func appendFloat(dst []byte, f float32) []byte {
	if size := math.Abs(float64(f)); size != 0 && (size < 1e-5 || size >= 1e16) {
		text := strconv.FormatFloat(float64(f), 'e', -1, 32)
		mantissa, exponent, _ := strings.Cut(text, "e")
		n, _ := strconv.Atoi(exponent)
		return strconv.AppendInt(append(append(dst, mantissa...), 'e'), int64(n), 10)
	}
	from := len(dst)
	dst = strconv.AppendFloat(dst, float64(f), 'f', -1, 32)
	if bytes.IndexByte(dst[from:], '.') < 0 {
		dst = append(dst, ".0"...)
	}
	return dst
}
