package datafile

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// MaxRecordBytes is the size of the longest record that is read. An item of DynamoDB has at most 400 KB and one of
// Cosmos DB 2 MB; as text they can be several times as long.
const MaxRecordBytes = 16 << 20

var errTooLong = fmt.Errorf("an item is longer than %d MB", MaxRecordBytes>>20)

// lineReader reads lines of at most MaxRecordBytes.
type lineReader struct {
	in     *bufio.Reader
	number int64 // of the line that was read last, from 1
	line   []byte
}

// next returns the next line without its end; it is valid until the next call. Errors: those of nextRaw.
func (r *lineReader) next() ([]byte, error) {
	line, err := r.nextRaw()
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r")), err
}

// nextRaw returns the next line with its end; it is valid until the next call. Errors: io.EOF, and an *Invalid with the
// beginning of a line that is too long, after which the next line can be read.
func (r *lineReader) nextRaw() ([]byte, error) {
	r.line = r.line[:0]
	r.number++
	tooLong := false
	for {
		part, err := r.in.ReadSlice('\n')
		if tooLong = tooLong || len(r.line)+len(part) > MaxRecordBytes; !tooLong {
			r.line = append(r.line, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err != nil && (err != io.EOF || len(r.line) == 0):
			return nil, err
		case tooLong:
			return nil, &Invalid{Line: r.number, Raw: bytes.Clone(r.line[:min(len(r.line), 1<<10)]),
				Reason: fmt.Sprintf("longer than %d MB", MaxRecordBytes>>20)}
		}
		return r.line, nil
	}
}

// countingReader counts the bytes that are read, and where the lines begin that a parser has not come to yet.
type countingReader struct {
	in       io.Reader
	offset   int64   // bytes read
	limit    int64   // offset that the parser may read up to: the end of a record of the greatest size
	newlines []int64 // offsets of line feeds after the last call of line
	passed   int64   // line feeds before them
}

// Read implements io.Reader.
func (r *countingReader) Read(p []byte) (int, error) {
	if r.offset >= r.limit {
		return 0, errTooLong
	}
	n, err := r.in.Read(p)
	for at, rest := 0, p[:n]; ; {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			break
		}
		r.newlines = append(r.newlines, r.offset+int64(at+i))
		at, rest = at+i+1, rest[i+1:]
	}
	r.offset += int64(n)
	return n, err
}

// line returns the number of the line that an offset is on, from 1. Offsets may not go back.
func (r *countingReader) line(offset int64) int64 {
	passed := 0
	for passed < len(r.newlines) && r.newlines[passed] < offset {
		passed++
	}
	r.newlines = r.newlines[:copy(r.newlines, r.newlines[passed:])]
	r.passed += int64(passed)
	return r.passed + 1
}
