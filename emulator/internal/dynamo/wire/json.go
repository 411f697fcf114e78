package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
)

// AppendFloat writes a number as the service does, which writes doubles always with a fraction.
func AppendFloat(dst []byte, f float64) []byte {
	n := len(dst)
	dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
	for _, c := range dst[n:] {
		if c == '.' {
			return dst
		}
	}
	return append(dst, ".0"...)
}

// AppendCount writes an integer.
func AppendCount(dst []byte, n int) []byte { return strconv.AppendInt(dst, int64(n), 10) }

// AppendMarshaled appends a response encoded by encoding/json, for operations that are too rare to have code of their
// own.
func AppendMarshaled(dst []byte, response any) []byte {
	out := bytes.NewBuffer(dst)
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	if err := e.Encode(response); err != nil {
		panic(err) // answers are structs of strings and numbers
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// SortedKeys returns the keys of a map, sorted.
func SortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	return slices.Sorted(maps.Keys(m))
}

// CloseObject ends an object whose members, each after a comma, begin at start.
func CloseObject(dst []byte, start int) []byte {
	if len(dst) > start {
		dst = append(dst[:start], dst[start+1:]...)
	}
	return append(dst, '}')
}
