package transfer

import (
	"bytes"
	"encoding/base64"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// appendIonItem appends an item as an Ion struct, in the form of AWS's exports: sets are lists with an annotation, and
// numbers are decimals (AWS, "DynamoDB table export output format").
func appendIonItem(dst []byte, it item.Value) []byte {
	dst = append(dst, '{')
	first := true
	for name, v := range it.Entries() {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(appendIonSymbol(dst, name), ':')
		dst = appendIon(dst, v)
	}
	return append(dst, '}')
}

func appendIon(dst []byte, v item.Value) []byte {
	switch t := v.Type(); t {
	case item.Bool:
		return strconv.AppendBool(dst, v.Bool())
	case item.Null:
		return append(dst, "null"...)
	case item.Map:
		return appendIonItem(dst, v)
	case item.List:
		return appendIonList(dst, v)
	case item.StringSet, item.NumberSet, item.BinarySet:
		return appendIonList(append(append(append(dst, "$dynamodb_"...), t.String()...), "::"...), v)
	case item.Number:
		dst = append(dst, v.Bytes()...)
		if !bytes.ContainsAny(v.Bytes(), ".") {
			dst = append(dst, '.') // a decimal, not an integer
		}
		return dst
	case item.Binary:
		dst = base64.StdEncoding.AppendEncode(append(dst, "{{"...), v.Bytes())
		return append(dst, "}}"...)
	}
	return appendIonText(dst, v.Bytes(), '"')
}

func appendIonList(dst []byte, v item.Value) []byte {
	dst = append(dst, '[')
	first := true
	for e := range v.Elements() {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = appendIon(dst, e)
	}
	return append(dst, ']')
}

// appendIonSymbol appends a field name, in quotes unless it is an identifier.
func appendIonSymbol(dst, name []byte) []byte {
	switch string(name) {
	case "null", "true", "false", "nan":
		return appendIonText(dst, name, '\'')
	}
	for i := range len(name) {
		c := name[i]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return appendIonText(dst, name, '\'')
		}
	}
	if len(name) == 0 {
		return append(dst, "''"...)
	}
	return append(dst, name...)
}

// appendIonText appends a text in quotes.
func appendIonText(dst, text []byte, quote byte) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, quote)
	for _, c := range text {
		switch {
		case c == quote, c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, `\n`...)
		case c < ' ' || c == 0x7f:
			dst = append(append(dst, `\x`...), hex[c>>4], hex[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, quote)
}
