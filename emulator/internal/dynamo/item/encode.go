package item

import (
	"encoding/base64"
	"strconv"

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
	t := v.Type()
	dst = append(append(append(dst, `{"`...), typeNames[t]...), `":`...)
	switch {
	case t == Bool:
		dst = strconv.AppendBool(dst, v.Bool())
	case t == Null:
		dst = append(dst, "true"...)
	case t == List:
		dst = appendList(dst, v.Bytes(), hashed)
	case t == Map:
		dst = v.appendItem(dst, hashed)
	case t == NumberSet && hashed:
		dst = appendMembers(dst, Number, inHashOrder(v.Bytes()))
	case t.IsSet():
		dst = appendSet(dst, t.member(), v.Bytes())
	default:
		dst = appendPayload(dst, t, v.Bytes())
	}
	return append(dst, '}')
}

func (v Value) appendItem(dst []byte, hashed bool) []byte {
	dst = append(dst, '{')
	entries := v.Bytes()
	for i := 0; len(entries) > 0; i++ {
		if i > 0 {
			dst = append(dst, ',')
		}
		var name []byte
		var e Value
		name, entries = splitText(entries)
		e, entries = split(entries)
		dst = append(jsonwrite.AppendString(dst, name), ':')
		dst = e.appendJSON(dst, hashed)
	}
	return append(dst, '}')
}

func appendList(dst, elements []byte, hashed bool) []byte {
	dst = append(dst, '[')
	for i := 0; len(elements) > 0; i++ {
		if i > 0 {
			dst = append(dst, ',')
		}
		var e Value
		e, elements = split(elements)
		dst = e.appendJSON(dst, hashed)
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
