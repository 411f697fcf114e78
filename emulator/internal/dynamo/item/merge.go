package item

import (
	"bytes"
	"encoding/binary"
)

// Merge returns the map v with all changes applied in one pass. A change sets the entry with its name, or removes it if
// the value is nil. The changes are sorted by name, each name once.
func (v Value) Merge(changes []Entry) Value {
	size := max(len(v), containerHeader)
	for _, c := range changes {
		size += binary.MaxVarintLen32 + len(c.Name) + len(c.Value)
	}
	dst, at := AppendOpen(make([]byte, 0, size), Map)
	rest := v.Bytes()
	for _, c := range changes {
		var before []byte
		before, rest = splitAt(rest, c.Name)
		dst = append(dst, before...)
		if c.Value != nil {
			dst = append(AppendName(dst, c.Name), c.Value.Plain()...)
		}
	}
	return AppendClose(append(dst, rest...), at)
}

// splitAt splits a map's entries into those before and those after name.
func splitAt(entries []byte, name string) (before, after []byte) {
	rest := entries
	for len(rest) > 0 {
		key, tail := splitText(rest)
		order := bytes.Compare(key, []byte(name))
		if order > 0 {
			break
		}
		_, tail = split(tail)
		if order == 0 {
			return entries[:len(entries)-len(rest)], tail
		}
		rest = tail
	}
	return entries[:len(entries)-len(rest)], rest
}
