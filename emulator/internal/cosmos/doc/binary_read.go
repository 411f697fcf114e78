package doc

import (
	"errors"
	"math"
)

// ErrBinary is the error for malformed binary JSON: truncated input, an unknown marker, a length beyond the body, or an
// invalid string reference.
var ErrBinary = errors.New("malformed binary JSON")

// referenceBudget is the maximum size in bytes of text from references to earlier strings. Without a limit, many short
// references to one long string would turn a small body into gigabytes. It is well above the size of any document.
const referenceBudget = 16 << 20

// ParseBinary parses a document in Cosmos DB's binary JSON. It supports every form that the service's encoder writes,
// as the driver crate azure_data_cosmos_driver describes them, except strings of a user dictionary, which no body
// contains. Errors: ErrBinary, ErrDepth, ErrNumber. Of duplicate names the last value counts. The value does not alias
// body.
func ParseBinary(body []byte) (Value, error) {
	if !IsBinary(body) {
		return Value{}, ErrBinary
	}
	b := binaryReader{buf: body, pos: 1, references: referenceBudget, emptyArrays: len(body)}
	v := b.value(0)
	if b.err == nil && b.pos != len(body) {
		b.err = ErrBinary
	}
	if b.err != nil {
		return Value{}, b.err
	}
	return v, nil
}

// binaryReader reads forward. It keeps the first error and then returns only zeros.
type binaryReader struct {
	buf         []byte
	pos         int
	references  int // bytes that references may still add
	emptyArrays int // arrays encoded in zero bytes that may still be created
	err         error
}

func (b *binaryReader) fail(err error) {
	if b.err == nil {
		b.err = err
	}
	b.pos = len(b.buf)
}

// take returns the next n bytes, or nil if there are fewer, which is an error.
func (b *binaryReader) take(n int) []byte {
	if n > len(b.buf)-b.pos || b.err != nil {
		b.fail(ErrBinary)
		return nil
	}
	b.pos += n
	return b.buf[b.pos-n : b.pos]
}

// uint reads a little-endian number of width bytes.
func (b *binaryReader) uint(width int) uint64 {
	var n uint64
	for i, c := range b.take(width) {
		n |= uint64(c) << (8 * i)
	}
	return n
}

// length reads a length or a count of at most four bytes.
func (b *binaryReader) length(width int) int { return int(b.uint(width)) }

func (b *binaryReader) marker() byte { return byte(b.uint(1)) }

func (b *binaryReader) value(depth int) Value {
	if depth > MaxDepth {
		b.fail(ErrDepth)
		return Value{}
	}
	switch m := b.marker(); {
	case m < literalInts:
		return Number(float64(m))
	case isStringMarker(m):
		return String(b.text(m))
	case m == markNull:
		return NullValue()
	case m == markFalse, m == markTrue:
		return Bool(m == markTrue)
	case m >= markArray && m < markObject:
		return b.array(b.frame(m-markArray), depth)
	case m >= markObject && m < markUniform:
		return b.object(b.frame(m-markObject), depth)
	case m >= markUniform && m <= markUniform+3:
		return b.uniform(m)
	case isBlobMarker(m):
		return String(b.blob(m))
	default:
		return b.number(m)
	}
}

// frame describes the end of a container: after a number of elements, at a position, or both.
type frame struct{ count, end int }

// frame reads a container's header. Forms: 0 empty; 1 one element; 2 to 4 a length of 1, 2 or 4 bytes; 5 to 7 a length
// and a count of as many bytes each.
func (b *binaryReader) frame(form byte) frame {
	if form < 2 {
		return frame{count: int(form), end: -1}
	}
	width := 1 << ((form - 2) % 3)
	length, count := b.length(width), -1
	if form >= 5 {
		count = b.length(width)
	}
	if length > len(b.buf)-b.pos {
		b.fail(ErrBinary)
	}
	return frame{count: count, end: b.pos + length}
}

// more reports whether another element follows the n read so far. It fails if they contradict the frame.
func (b *binaryReader) more(f frame, n int) bool {
	switch {
	case b.err != nil:
		return false
	case f.end < 0:
		return n < f.count
	case b.pos < f.end:
		return true
	case b.pos > f.end || f.count >= 0 && n != f.count:
		b.fail(ErrBinary)
	}
	return false
}

func (b *binaryReader) array(f frame, depth int) Value {
	elements := []Value{}
	for b.more(f, len(elements)) {
		elements = append(elements, b.value(depth+1))
	}
	return Array(elements...)
}

func (b *binaryReader) object(f frame, depth int) Value {
	members := []Member{}
	seen := nameIndex{}
	for n := 0; b.more(f, n); n++ {
		m := b.marker()
		if !isStringMarker(m) {
			b.fail(ErrBinary)
			break
		}
		name := b.text(m)
		v := b.value(depth + 1)
		if i := seen.find(members, name); i >= 0 {
			members[i].Value = v
			continue
		}
		members = append(members, Member{name, v})
		seen.add(members)
	}
	return Object(members...)
}

// Markers of numbers that only the service's encoder writes.
const (
	markUint64  = 0xC7
	markFloat32 = 0xCD
	markFloat64 = 0xCE
	markXUint8  = 0xD7
	markXInt8   = 0xD8
	markXInt16  = 0xD9
	markXInt32  = 0xDA
	markXInt64  = 0xDB
	markXUint32 = 0xDC
	markUniform = 0xF0 // plus 0, 1: arrays of numbers, a count of 1, 2 bytes; plus 2, 3: arrays of such arrays
)

func (b *binaryReader) number(marker byte) Value {
	switch marker {
	case markUint8, markXUint8:
		return Number(float64(b.uint(1)))
	case markXInt8:
		return Number(float64(int8(b.uint(1))))
	case markInt16, markXInt16:
		return Number(float64(int16(b.uint(2))))
	case markInt32, markXInt32:
		return Number(float64(int32(b.uint(4))))
	case markXUint32:
		return Number(float64(b.uint(4)))
	case markInt64, markXInt64:
		return Int(int64(b.uint(8)))
	case markUint64:
		return Uint(b.uint(8))
	case markFloat32:
		return b.finite(float64(math.Float32frombits(uint32(b.uint(4)))))
	case markDouble, markFloat64:
		return b.finite(math.Float64frombits(b.uint(8)))
	}
	b.fail(ErrBinary)
	return Value{}
}

func (b *binaryReader) finite(n float64) Value {
	if math.IsInf(n, 0) || math.IsNaN(n) {
		b.fail(ErrNumber)
	}
	return Number(n)
}

// uniform reads an array of numbers of one type, or an array of such arrays of the same length.
func (b *binaryReader) uniform(marker byte) Value {
	form := marker - markUniform
	width := 1 << (form & 1)
	if form < 2 {
		item := b.marker()
		return b.numbers(item, b.length(width))
	}
	if b.marker() != markUniform+form&1 {
		b.fail(ErrBinary)
	}
	item := b.marker()
	inner, outer := b.length(width), b.length(width)
	if inner == 0 { // such arrays take no bytes: a few bytes could create any number of them
		if b.emptyArrays -= outer; b.emptyArrays < 0 {
			b.fail(ErrBinary)
		}
	}
	arrays := []Value{}
	for i := 0; i < outer && b.err == nil; i++ {
		arrays = append(arrays, b.numbers(item, inner))
	}
	return Array(arrays...)
}

func (b *binaryReader) numbers(item byte, count int) Value {
	if item != markFloat32 && item != markFloat64 && (item < markXUint8 || item > markXUint32) {
		b.fail(ErrBinary)
	}
	elements := []Value{}
	for i := 0; i < count && b.err == nil; i++ {
		elements = append(elements, b.number(item))
	}
	return Array(elements...)
}
