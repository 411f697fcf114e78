package item

import (
	"encoding/base64"

	"github.com/tabletop-db/tabletop/emulator/internal/jsonwrite"
)

// AppendJSON appends the value in the service's JSON: {"S":"text"}. Sets are sorted.
func (v Value) AppendJSON(dst []byte) []byte { return v.appendJSON(dst, false) }

// AppendItem appends a map as a bare JSON object, the form of items and keys: {"pk":{"S":"text"}}. Sets are sorted.
func (v Value) AppendItem(dst []byte) []byte { return v.appendItem(dst, false) }

// AppendItemHashed is AppendItem with number sets in the order of a Java HashSet: the form of items in Scan,
// TransactGetItems, cancellation reasons and stream records.
func (v Value) AppendItemHashed(dst []byte) []byte { return v.appendItem(dst, true) }

func (v Value) appendJSON(dst []byte, hashed bool) []byte {
	dst, _ = appendFirst(dst, v.Plain(), hashed)
	return dst
}

// appendFirst appends the first value of a sequence, and returns the rest of the sequence. Scalars, which most values
// are, take three appends: each is a call.
func appendFirst(dst, seq []byte, hashed bool) (_, rest []byte) {
	switch t := Type(seq[0]); {
	case t == String:
		payload, rest := splitText(seq[1:])
		dst = jsonwrite.AppendContent(append(dst, `{"S":"`...), payload)
		return append(dst, `"}`...), rest
	case t == Number: // needs no escapes
		payload, rest := splitText(seq[1:])
		dst = append(append(dst, `{"N":"`...), payload...)
		return append(dst, `"}`...), rest
	case t == Binary:
		payload, rest := splitText(seq[1:])
		dst = base64.StdEncoding.AppendEncode(append(dst, `{"B":"`...), payload)
		return append(dst, `"}`...), rest
	case seq[0] == tagTrue:
		return append(dst, `{"BOOL":true}`...), seq[1:]
	case t == Bool:
		return append(dst, `{"BOOL":false}`...), seq[1:]
	case t == Null:
		return append(dst, `{"NULL":true}`...), seq[1:]
	}
	first, rest := split(seq)
	return first.appendContainer(dst, hashed), rest
}

// appendContainer appends a list, a map or a set.
func (v Value) appendContainer(dst []byte, hashed bool) []byte {
	t := v.Type()
	dst = append(append(append(dst, `{"`...), typeNames[t]...), `":`...)
	switch {
	case t == List:
		dst = appendList(dst, v.Bytes(), hashed)
	case t == Map:
		dst = v.appendItem(dst, hashed)
	case t == NumberSet && hashed:
		dst = appendMembers(dst, Number, inHashOrder(v.Bytes()))
	default:
		dst = appendSet(dst, t.member(), v.Bytes())
	}
	return append(dst, '}')
}

func (v Value) appendItem(dst []byte, hashed bool) []byte {
	entries := v.Bytes()
	dst = append(dst, '{')
	for i := 0; len(entries) > 0; i++ {
		if i > 0 {
			dst = append(dst, ',')
		}
		var name []byte
		name, entries = splitText(entries)
		dst = append(jsonwrite.AppendString(dst, name), ':')
		dst, entries = appendFirst(dst, entries, hashed)
	}
	return append(dst, '}')
}

func appendList(dst, elements []byte, hashed bool) []byte {
	dst = append(dst, '[')
	for i := 0; len(elements) > 0; i++ {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst, elements = appendFirst(dst, elements, hashed)
	}
	return append(dst, ']')
}

func appendSet(dst []byte, t Type, members []byte) []byte {
	return appendMembers(dst, t, sortedMembers(t, members))
}

func appendMembers(dst []byte, t Type, members []byte) []byte {
	dst = append(dst, '[')
	for i := 0; len(members) > 0; i++ {
		if i > 0 {
			dst = append(dst, ',')
		}
		var m []byte
		m, members = splitText(members)
		dst = appendPayload(dst, t, m)
	}
	return append(dst, ']')
}

func appendPayload(dst []byte, t Type, payload []byte) []byte {
	switch t {
	case String:
		return jsonwrite.AppendString(dst, payload)
	case Binary:
		dst = append(dst, '"')
		dst = base64.StdEncoding.AppendEncode(dst, payload)
	default: // a number needs no escapes
		dst = append(dst, '"')
		dst = append(dst, payload...)
	}
	return append(dst, '"')
}
