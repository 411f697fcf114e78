package item

import (
	"encoding/base64"
	"strconv"
)

// AppendJSON appends the value as the service writes it: {"S":"text"}.
func (v Value) AppendJSON(dst []byte) []byte {
	t := v.Type()
	dst = append(append(append(dst, `{"`...), typeNames[t]...), `":`...)
	switch {
	case t == Bool:
		dst = strconv.AppendBool(dst, v.Bool())
	case t == Null:
		dst = append(dst, "true"...)
	case t == List:
		dst = appendList(dst, v.Bytes())
	case t == Map:
		dst = v.AppendItem(dst)
	case t.IsSet():
		dst = appendSet(dst, t.member(), v.Bytes())
	default:
		dst = appendPayload(dst, t, v.Bytes())
	}
	return append(dst, '}')
}

// AppendItem appends a map as a bare JSON object, as items and keys are written: {"pk":{"S":"text"}}.
func (v Value) AppendItem(dst []byte) []byte {
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
		dst = append(AppendString(dst, name), ':')
		dst = e.AppendJSON(dst)
	}
	return append(dst, '}')
}

func appendList(dst, elements []byte) []byte {
	dst = append(dst, '[')
	for i := 0; len(elements) > 0; i++ {
		if i > 0 {
			dst = append(dst, ',')
		}
		var e Value
		e, elements = split(elements)
		dst = e.AppendJSON(dst)
	}
	return append(dst, ']')
}

func appendSet(dst []byte, t Type, members []byte) []byte {
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
		return AppendString(dst, payload)
	case Binary:
		dst = append(dst, '"')
		dst = base64.StdEncoding.AppendEncode(dst, payload)
	default: // a number needs no escapes
		dst = append(dst, '"')
		dst = append(dst, payload...)
	}
	return append(dst, '"')
}

const hexDigits = "0123456789abcdef"

// AppendString appends a JSON string. text must be valid UTF-8.
func AppendString[T string | []byte](dst []byte, text T) []byte {
	dst = append(dst, '"')
	from := 0
	for i := range len(text) {
		c := text[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, text[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\t':
			dst = append(dst, `\t`...)
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	dst = append(dst, text[from:]...)
	return append(dst, '"')
}
