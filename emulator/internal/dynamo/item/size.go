package item

import (
	"bytes"
	"encoding/binary"
)

// containerOverhead is the size of a list or map itself, besides one byte for each element.
const containerOverhead = 3

// Size returns the value's size in bytes by the service's rule, on which capacity and the 400 KB limit are based:
// strings and binaries count their bytes; numbers about half a byte per digit (numberSize); true, false and null 1;
// lists and maps 3, plus for each element 1 and its size, and in maps its name.
func (v Value) Size() int {
	if len(v) == 0 {
		return 1
	}
	size, _ := firstSize(v.Plain())
	return size
}

// ItemSize returns the size of an item: the names and values of its attributes, without overhead.
func (v Value) ItemSize() int {
	if len(v) > 0 && v[0] == tagItem {
		return int(binary.LittleEndian.Uint32(v[1:]))
	}
	return mapSize(v.Bytes(), 0)
}

// KeepSize writes the size of an item into its header, for ItemSize. It changes v, which nobody else may have yet.
func (v Value) KeepSize() Value {
	if len(v) > containerHeader && v[0] == byte(Map) {
		size := v.ItemSize()
		v[0] = tagItem
		binary.LittleEndian.PutUint32(v[1:], uint32(size))
	}
	return v
}

// Plain returns v without a kept size, as it can be part of another value.
func (v Value) Plain() Value {
	if len(v) == 0 || v[0] != tagItem {
		return v
	}
	dst, at := AppendOpen(make([]byte, 0, len(v)), Map)
	return AppendClose(append(dst, v.Bytes()...), at)
}

func mapSize(entries []byte, each int) int {
	size := 0
	for len(entries) > 0 {
		n, w := uvarint(entries)
		valueSize, length := firstSize(entries[w+n:])
		size += each + n + valueSize
		entries = entries[w+n+length:]
	}
	return size
}

func listSize(elements []byte) int {
	size := containerOverhead
	for len(elements) > 0 {
		elementSize, length := firstSize(elements)
		size += 1 + elementSize
		elements = elements[length:]
	}
	return size
}

// firstSize returns the size of the first value of a sequence, and the length in bytes of its stored form: one pass,
// without a slice for each value.
func firstSize(seq []byte) (size, length int) {
	switch t := Type(seq[0]); t {
	case String, Binary:
		n, w := uvarint(seq[1:])
		return n, 1 + w + n
	case Number:
		n, w := uvarint(seq[1:])
		return numberSize(seq[1+w : 1+w+n]), 1 + w + n
	case List, Map, StringSet, NumberSet, BinarySet:
		length = containerHeader + int(binary.LittleEndian.Uint32(seq[1:]))
		return containerSize(t, seq[containerHeader:length]), length
	}
	return 1, 1
}

func containerSize(t Type, encoded []byte) int {
	switch t {
	case List:
		return listSize(encoded)
	case Map:
		return containerOverhead + mapSize(encoded, 1)
	}
	return setSize(t, encoded)
}

func setSize(t Type, members []byte) int {
	size := 0
	for len(members) > 0 {
		var m []byte
		if m, members = splitText(members); t == NumberSet {
			size += numberSize(m)
		} else {
			size += len(m)
		}
	}
	return size
}

// numberSize returns the size of a number: one byte, one for a minus sign, and one for each two significant digits,
// counted separately before and after the point. Leading and trailing zeros are not significant. (Found by bisecting
// the 400 KB limit on AWS, eu-west-2: nubo-db/dynoxide, 2026.)
func numberSize(canonical []byte) int {
	size := 1
	if canonical[0] == '-' {
		size++
		canonical = canonical[1:]
	}
	point := bytes.IndexByte(canonical, '.')
	if point < 0 {
		whole := len(canonical)
		for whole > 0 && canonical[whole-1] == '0' {
			whole--
		}
		return size + halfRoundedUp(whole)
	}
	whole, fraction := canonical[:point], canonical[point+1:]
	if len(whole) == 1 && whole[0] == '0' {
		return size + halfRoundedUp(len(bytes.TrimLeft(fraction, "0")))
	}
	return size + halfRoundedUp(len(whole)) + halfRoundedUp(len(fraction))
}

// halfRoundedUp returns n/2, rounded up.
func halfRoundedUp(n int) int { return (n + 1) / 2 }
