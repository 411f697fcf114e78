package sandbox

import (
	"encoding/binary"
	"errors"
)

var errBinary = errors.New("the module is not a WebAssembly binary that the sandbox can meter")

// reader reads a WebAssembly binary. After the first error it returns zeros and stays at the end.
type reader struct {
	data []byte
	at   int
	err  error
}

func (r *reader) fail() {
	r.err = errBinary
	r.at = len(r.data)
}

func (r *reader) done() bool { return r.at >= len(r.data) }

func (r *reader) byte() byte {
	if r.done() {
		r.fail()
		return 0
	}
	r.at++
	return r.data[r.at-1]
}

// number reads an unsigned LEB128 number of up to 32 bits.
func (r *reader) number() uint32 {
	n, size := binary.Uvarint(r.data[r.at:])
	if size <= 0 || n > 1<<32-1 {
		r.fail()
		return 0
	}
	r.at += size
	return uint32(n)
}

// skipNumber skips a LEB128 number of any width, signed or unsigned.
func (r *reader) skipNumber() {
	for r.byte()&0x80 != 0 && r.err == nil {
		continue
	}
}

// count reads the number of the following elements, which have at least one byte each.
func (r *reader) count() uint32 {
	n := r.number()
	if uint64(n) > uint64(len(r.data)-r.at) {
		r.fail()
		return 0
	}
	return n
}

func (r *reader) bytes(n uint32) []byte {
	if uint64(n) > uint64(len(r.data)-r.at) {
		r.fail()
		return nil
	}
	r.at += int(n)
	return r.data[r.at-int(n) : r.at]
}

// sized reads a length and that many bytes.
func (r *reader) sized() []byte { return r.bytes(r.number()) }

// appendNumber appends an unsigned LEB128 number.
func appendNumber(out []byte, n uint32) []byte { return binary.AppendUvarint(out, uint64(n)) }

// appendSigned appends a signed LEB128 number, such as the operand of i32.const.
func appendSigned(out []byte, n int32) []byte {
	for {
		low := byte(n & 0x7F)
		n >>= 7
		if n == 0 && low&0x40 == 0 || n == -1 && low&0x40 != 0 {
			return append(out, low)
		}
		out = append(out, low|0x80)
	}
}

func appendSized(out, data []byte) []byte {
	return append(appendNumber(out, uint32(len(data))), data...)
}
