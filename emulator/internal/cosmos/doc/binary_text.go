package doc

import (
	"encoding/base64"
	"encoding/hex"
	"unicode/utf8"
)

// Markers of strings that only the service's encoder writes.
const (
	markUser        = 0x40 // a dictionary outside the body, which nobody sends; up to 0x68
	markBase64      = 0x71 // a count of 1 byte, then of 2; then the same with the URL alphabet
	markGUID        = 0x75 // lower case, upper case, lower case in quotes
	markLowerHex    = 0x78
	markUpperHex    = 0x79
	markDateTime    = 0x7A
	markPacked4     = 0x7B // 4, 5 and 6 bits per character above a base character
	markPacked6     = 0x7D
	markPacked7     = 0x7E // 7 bits per character, a length of 1 byte
	markPacked7Long = 0x7F // a length of 2 bytes
	markReference   = 0xC3 // a position of 1, 2, 3 or 4 bytes; up to 0xC6
	markGUIDValue   = 0xD3
	markBlob        = 0xDD // bytes; a length of 1, 2 or 4 bytes
)

const (
	lowerHex = "0123456789abcdef"
	upperHex = "0123456789ABCDEF"
	dateTime = " 0123456789:-.TZ"
)

func isStringMarker(m byte) bool    { return m >= markSystem && m < markUint64 }
func isReferenceMarker(m byte) bool { return m >= markReference && m < markUint64 }
func isBlobMarker(m byte) bool      { return m == markGUIDValue || m >= markBlob && m < markArray }

// text reads a string after its marker.
func (b *binaryReader) text(m byte) string {
	switch {
	case m < markUser:
		return systemStrings[m-markSystem]
	case m >= markString && m < markStrL1:
		return b.utf8String(int(m - markString))
	case m >= markStrL1 && m < markReference:
		return b.utf8String(b.length(1 << (m - markStrL1)))
	case isReferenceMarker(m):
		return b.reference(b.length(int(m-markReference) + 1))
	}
	return b.compressed(m)
}

func (b *binaryReader) utf8String(n int) string {
	p := b.take(n)
	if !utf8.Valid(p) {
		b.fail(ErrBinary)
	}
	return string(p)
}

// reference returns the string at an earlier position. It must not be a reference itself, which excludes cycles.
func (b *binaryReader) reference(at int) string {
	if at < 1 || at >= b.pos || b.err != nil {
		b.fail(ErrBinary)
		return ""
	}
	m := b.buf[at]
	if !isStringMarker(m) || isReferenceMarker(m) {
		b.fail(ErrBinary)
		return ""
	}
	referenced := binaryReader{buf: b.buf, pos: at + 1}
	s := referenced.text(m)
	if b.references -= len(s); referenced.err != nil || b.references < 0 {
		b.fail(ErrBinary)
		return ""
	}
	return s
}

func (b *binaryReader) compressed(m byte) string {
	switch m {
	case markBase64, markBase64 + 1:
		return b.base64(int(m-markBase64)+1, base64.StdEncoding)
	case markBase64 + 2, markBase64 + 3:
		return b.base64(int(m-markBase64)-1, base64.URLEncoding)
	case markGUID:
		return b.guid(lowerHex)
	case markGUID + 1:
		return b.guid(upperHex)
	case markGUID + 2:
		return `"` + b.guid(lowerHex) + `"`
	case markLowerHex:
		return b.nibbles(b.length(1), lowerHex)
	case markUpperHex:
		return b.nibbles(b.length(1), upperHex)
	case markDateTime:
		return b.nibbles(b.length(1), dateTime)
	case markPacked4, markPacked4 + 1, markPacked6:
		n := b.length(1)
		return b.packed(n, int(m-markPacked4)+4, b.marker())
	case markPacked7, markPacked7Long:
		return b.packed(b.length(int(m-markPacked7)+1), 7, 0)
	}
	b.fail(ErrBinary)
	return ""
}

// nibbles reads n characters of an alphabet of 16, two per byte, the lower nibble first.
func (b *binaryReader) nibbles(n int, alphabet string) string {
	packed := b.take((n + 1) / 2)
	out := make([]byte, 0, n+1)
	for _, c := range packed {
		out = append(out, alphabet[c&15], alphabet[c>>4])
	}
	if len(out) > n { // the last nibble is padding and must be zero
		if packed[len(packed)-1]>>4 != 0 {
			b.fail(ErrBinary)
		}
		out = out[:n]
	}
	return string(out)
}

// packed reads n ASCII characters of a number of bits each, lowest bits first, as offsets from a base.
func (b *binaryReader) packed(n, bits int, base byte) string {
	packed := b.take((n*bits + 7) / 8)
	if packed == nil {
		return ""
	}
	out := make([]byte, n)
	for i := range out {
		at := i * bits
		window := uint(packed[at/8])
		if at/8+1 < len(packed) {
			window |= uint(packed[at/8+1]) << 8
		}
		c := int(base) + int(window>>(at%8))&(1<<bits-1)
		if c >= utf8.RuneSelf {
			b.fail(ErrBinary)
		}
		out[i] = byte(c)
	}
	return string(out)
}

// guid reads the 36 characters of a GUID from 16 bytes, lower nibbles first.
func (b *binaryReader) guid(digits string) string {
	return dashed(b.nibbles(32, digits))
}

func dashed(digits string) string {
	if len(digits) != 32 {
		return ""
	}
	return digits[:8] + "-" + digits[8:12] + "-" + digits[12:16] + "-" + digits[16:20] + "-" + digits[20:]
}

// base64 reads a string stored as the bytes that its base64 text encodes: the length in groups of four characters, then
// the number of "=" at its end or, if they are omitted, the complement of their number.
func (b *binaryReader) base64(width int, enc *base64.Encoding) string {
	groups, padding := b.length(width), int(b.marker())
	omitted := padding > 2
	if omitted {
		padding ^= 0xFF
	}
	if padding > 2 || padding > 0 && groups == 0 {
		b.fail(ErrBinary)
		return ""
	}
	text := enc.EncodeToString(b.take(groups*3 - padding))
	if omitted && b.err == nil {
		text = text[:len(text)-padding]
	}
	return text
}

// blob reads a value that JSON does not have: a GUID in .NET's memory layout, as text; or bytes, as base64.
func (b *binaryReader) blob(m byte) string {
	if m != markGUIDValue {
		return base64.StdEncoding.EncodeToString(b.take(b.length(1 << (m - markBlob))))
	}
	g := b.take(16)
	if g == nil {
		return ""
	}
	order := [...]int{3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15}
	var bytes [16]byte
	for i, at := range order {
		bytes[i] = g[at]
	}
	return dashed(hex.EncodeToString(bytes[:]))
}
