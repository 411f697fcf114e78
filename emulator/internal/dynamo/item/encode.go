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
	for {
		n := plainLength(text)
		dst = append(dst, text[:n]...)
		if n == len(text) {
			return append(dst, '"')
		}
		dst = appendEscaped(dst, text[n])
		text = text[n+1:]
	}
}

func isPlain(c byte) bool { return c >= ' ' && c != '"' && c != '\\' }

// plainLength is how many bytes at the front stand for themselves in a JSON string. It looks at eight at a time:
// most of what the service ever writes goes through here.
func plainLength[T string | []byte](text T) int {
	i := 0
	for ; i+8 <= len(text); i += 8 {
		w := uint64(text[i]) | uint64(text[i+1])<<8 | uint64(text[i+2])<<16 | uint64(text[i+3])<<24 |
			uint64(text[i+4])<<32 | uint64(text[i+5])<<40 | uint64(text[i+6])<<48 | uint64(text[i+7])<<56
		if below(w, ' ')|below(w^eachByte*'"', 1)|below(w^eachByte*'\\', 1) != 0 {
			break
		}
	}
	for i < len(text) && isPlain(text[i]) {
		i++
	}
	return i
}

const eachByte = 0x0101010101010101

// below is not zero if one of the eight bytes of w is below n, which is 128 at most.
func below(w, n uint64) uint64 { return (w - eachByte*n) &^ w & (eachByte * 0x80) }

func appendEscaped(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}
