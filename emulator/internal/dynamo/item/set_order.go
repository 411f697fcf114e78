package item

import (
	"bytes"
	"slices"
)

// compareMembers compares two members of a set: strings and binaries by bytes, numbers by value.
func compareMembers(t Type, a, b []byte) int {
	if t == Number {
		return compareNumbers(a, b)
	}
	return bytes.Compare(a, b)
}

// isAscending reports whether a sequence of members is sorted and has no repetition.
func isAscending(t Type, members []byte) bool {
	if len(members) == 0 {
		return true
	}
	previous, rest := splitText(members)
	for len(rest) > 0 {
		var m []byte
		if m, rest = splitText(rest); compareMembers(t, previous, m) >= 0 {
			return false
		}
		previous = m
	}
	return true
}

// sortedMembers returns a set's members in order. They are stored in order, except by versions before November 2026,
// which stored the order of the request.
func sortedMembers(t Type, members []byte) []byte {
	if isAscending(t, members) {
		return members
	}
	parts := splitMembers(members)
	slices.SortFunc(parts, func(a, b []byte) int { return compareMembers(t, a, b) })
	return joinMembers(slices.CompactFunc(parts, bytes.Equal), len(members))
}

func splitMembers(members []byte) [][]byte {
	var parts [][]byte
	for len(members) > 0 {
		var m []byte
		m, members = splitText(members)
		parts = append(parts, m)
	}
	return parts
}

// joinMembers returns the encoded sequence of the members, of about this length in bytes.
func joinMembers(parts [][]byte, length int) []byte {
	joined := make([]byte, 0, length)
	for _, m := range parts {
		joined = appendText(joined, m)
	}
	return joined
}

// sortSet sorts the members at the end of the buffer, which begin at start. If one is repeated, it leaves them as they
// are and returns false.
func (d *Decoder) sortSet(t Type, start int) (distinct bool) {
	if isAscending(t, d.buf[start:]) {
		return true
	}
	d.members = d.members[:0]
	for rest := d.buf[start:]; len(rest) > 0; _, rest = splitText(rest) {
		d.members = append(d.members, uint32(len(d.buf)-len(rest)))
	}
	slices.SortFunc(d.members, func(a, b uint32) int { return compareMembers(t, d.member(a), d.member(b)) })
	for i := range d.members[1:] {
		if compareMembers(t, d.member(d.members[i]), d.member(d.members[i+1])) == 0 {
			return false
		}
	}
	d.scratch = d.scratch[:0]
	for _, at := range d.members {
		d.scratch = appendText(d.scratch, d.member(at))
	}
	copy(d.buf[start:], d.scratch)
	return true
}

// member returns the member of a set that begins there in the buffer.
func (d *Decoder) member(at uint32) []byte {
	m, _ := splitText(d.buf[at:])
	return m
}
