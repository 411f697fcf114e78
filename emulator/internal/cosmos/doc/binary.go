package doc

import (
	"encoding/binary"
	"math"
	"strings"
	"unicode/utf8"
)

// binaryPreamble is the first byte of binary JSON. UTF-8 text never begins with it.
const binaryPreamble = 0x80

// IsBinary reports whether a body is Cosmos DB's binary JSON rather than text.
func IsBinary(body []byte) bool { return len(body) > 0 && body[0] == binaryPreamble }

// ParseAny parses a JSON document in binary or text form, depending on its first byte.
func ParseAny(body []byte) (Value, error) {
	if IsBinary(body) {
		return ParseBinary(body)
	}
	return Parse(body)
}

// The markers that the encoder writes. binary_read.go has all others.
const (
	markSystem = 0x20 // plus the index of a system string
	markString = 0x80 // plus a length under 64
	markStrL1  = 0xC0 // a length of 1 byte; then 2 and 4 bytes
	markUint8  = 0xC8
	markInt16  = 0xC9
	markInt32  = 0xCA
	markInt64  = 0xCB
	markDouble = 0xCC
	markNull   = 0xD0
	markFalse  = 0xD1
	markTrue   = 0xD2
	markArray  = 0xE0 // plus a form: see frame
	markObject = 0xE8
)

// literalInts is the number of small integers that are their own markers.
const literalInts = 0x20

// systemStrings are the strings with markers of their own, in the order of the markers (the table of the driver crate
// azure_data_cosmos_driver, "the service byte for byte").
var systemStrings = [...]string{
	"$s", "$t", "$v", "_attachments", "_etag", "_rid", "_self", "_ts", "attachments/", "coordinates", "geometry",
	"GeometryCollection", "id", "url", "Value", "label", "LineString", "link", "MultiLineString", "MultiPoint",
	"MultiPolygon", "name", "Name", "Type", "Point", "Polygon", "properties", "type", "value", "Feature",
	"FeatureCollection", "_id",
}

func systemString(s string) (byte, bool) {
	if len(s) > len("GeometryCollection") {
		return 0, false
	}
	for i := range systemStrings {
		if systemStrings[i] == s {
			return markSystem + byte(i), true
		}
	}
	return 0, false
}

// AppendBinary appends a value as Cosmos DB's binary JSON, including the preamble. It writes only a few of the forms
// that a decoder must support: system strings, plain strings, the shortest integer or a double, and containers with
// their length in bytes. Undefined members and elements are omitted. Undefined itself is written as null, because the
// format cannot represent it.
func AppendBinary(dst []byte, v Value) []byte {
	return appendBinaryValue(append(dst, binaryPreamble), v)
}

func appendBinaryValue(dst []byte, v Value) []byte {
	switch v.kind {
	case Boolean:
		if v.IsTrue() {
			return append(dst, markTrue)
		}
		return append(dst, markFalse)
	case Numeric:
		return appendBinaryNumber(dst, v)
	case Text:
		return appendBinaryString(dst, v.str)
	case List:
		return appendBinaryArray(dst, v.list)
	case Map:
		return appendBinaryObject(dst, v.members)
	}
	return append(dst, markNull)
}

// exactInteger is the magnitude up to which a double represents every integer.
const exactInteger = 1 << 53

func appendBinaryNumber(dst []byte, v Value) []byte {
	i, whole := v.Int()
	if !whole {
		return binary.LittleEndian.AppendUint64(append(dst, markDouble), math.Float64bits(v.num))
	}
	switch {
	case i >= 0 && i < literalInts:
		return append(dst, byte(i))
	case i >= 0 && i <= math.MaxUint8:
		return append(dst, markUint8, byte(i))
	case i == int64(int16(i)):
		return binary.LittleEndian.AppendUint16(append(dst, markInt16), uint16(i))
	case i == int64(int32(i)):
		return binary.LittleEndian.AppendUint32(append(dst, markInt32), uint32(i))
	default:
		return binary.LittleEndian.AppendUint64(append(dst, markInt64), uint64(i))
	}
}

func appendBinaryString(dst []byte, s string) []byte {
	if marker, ok := systemString(s); ok {
		return append(dst, marker)
	}
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\ufffd")
	}
	switch n := len(s); {
	case n < markStrL1-markString:
		dst = append(dst, markString+byte(n))
	case n <= math.MaxUint8:
		dst = append(dst, markStrL1, byte(n))
	case n <= math.MaxUint16:
		dst = binary.LittleEndian.AppendUint16(append(dst, markStrL1+1), uint16(n))
	default:
		dst = binary.LittleEndian.AppendUint32(append(dst, markStrL1+2), uint32(n))
	}
	return append(dst, s...)
}

func appendBinaryArray(dst []byte, elements []Value) []byte {
	dst, start := openFrame(dst)
	count := 0
	for _, e := range elements {
		if e.Defined() {
			dst = appendBinaryValue(dst, e)
			count++
		}
	}
	return closeFrame(dst, start, markArray, count)
}

func appendBinaryObject(dst []byte, members []Member) []byte {
	dst, start := openFrame(dst)
	count := 0
	for i := range members {
		if members[i].Value.Defined() {
			dst = appendBinaryValue(appendBinaryString(dst, members[i].Name), members[i].Value)
			count++
		}
	}
	return closeFrame(dst, start, markObject, count)
}

// maxFrameHeader is the space that openFrame reserves: a marker and a length of four bytes.
const maxFrameHeader = 5

func openFrame(dst []byte) ([]byte, int) {
	start := len(dst)
	return append(dst, make([]byte, maxFrameHeader)...), start
}

// closeFrame writes a container's header before its body, in the shortest form, and moves the body next to it.
func closeFrame(dst []byte, start int, marker byte, count int) []byte {
	body := dst[start+maxFrameHeader:]
	var head []byte
	var room [maxFrameHeader]byte
	switch n := len(body); {
	case count == 0:
		head = append(room[:0], marker)
	case count == 1:
		head = append(room[:0], marker+1)
	case n <= math.MaxUint8:
		head = append(room[:0], marker+2, byte(n))
	case n <= math.MaxUint16:
		head = binary.LittleEndian.AppendUint16(append(room[:0], marker+3), uint16(n))
	default:
		head = binary.LittleEndian.AppendUint32(append(room[:0], marker+4), uint32(n))
	}
	if len(head) < maxFrameHeader {
		copy(dst[start+len(head):], body)
	}
	copy(dst[start:], head)
	return dst[:start+len(head)+len(body)]
}
