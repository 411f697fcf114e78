package item

import "bytes"

// containerOverhead is the size of a list or map itself, besides one byte for each element.
const containerOverhead = 3

// Size returns the value's size in bytes by the service's rule, on which capacity and the 400 KB limit are based:
// strings and binaries count their bytes; numbers about half a byte per digit (numberSize); true, false and null 1;
// lists and maps 3, plus for each element 1 and its size, and in maps its name.
func (v Value) Size() int {
	switch t := v.Type(); {
	case t == String || t == Binary:
		return len(v.Bytes())
	case t == Number:
		return numberSize(v.Bytes())
	case t.IsSet():
		return setSize(t, v.Bytes())
	case t == List:
		return listSize(v.Bytes())
	case t == Map:
		return containerOverhead + mapSize(v.Bytes(), 1)
	}
	return 1
}

// ItemSize returns the size of an item: the names and values of its attributes, without overhead.
func (v Value) ItemSize() int { return mapSize(v.Bytes(), 0) }

func mapSize(entries []byte, each int) int {
	size := 0
	for len(entries) > 0 {
		var name []byte
		var e Value
		name, entries = splitText(entries)
		e, entries = split(entries)
		size += each + len(name) + e.Size()
	}
	return size
}

func listSize(elements []byte) int {
	size := containerOverhead
	for len(elements) > 0 {
		var e Value
		e, elements = split(elements)
		size += 1 + e.Size()
	}
	return size
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
	whole, fraction, hasFraction := bytes.Cut(canonical, []byte("."))
	if !hasFraction {
		return size + halfRoundedUp(len(bytes.TrimRight(whole, "0")))
	}
	if len(whole) == 1 && whole[0] == '0' {
		return size + halfRoundedUp(len(bytes.TrimLeft(fraction, "0")))
	}
	return size + halfRoundedUp(len(whole)) + halfRoundedUp(len(fraction))
}

// halfRoundedUp returns n/2, rounded up.
func halfRoundedUp(n int) int { return (n + 1) / 2 }
