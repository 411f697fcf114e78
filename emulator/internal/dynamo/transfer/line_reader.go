package transfer

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
)

// maxLine is the size of the longest line that is read, in bytes. The text of an item of 400 KB is shorter: the densest
// item, a list of empty strings, takes nine characters for each byte.
const maxLine = 10 * engine.MaxItemSize

// errLongLine is the error for a longer line.
var errLongLine = errors.New("the line is longer than the text of any item")

// lineReader reads the lines of an object, or its JSON objects. What was read is valid until the next one is read.
type lineReader struct {
	in   *bufio.Reader
	line []byte
	size int64 // bytes that were read
}

func newLineReader(in io.Reader) *lineReader { return &lineReader{in: bufio.NewReaderSize(in, 64<<10)} }

// next returns the next line that is not blank, without its end. Errors: io.EOF after the last line, errLongLine, those
// of the object.
func (l *lineReader) next() ([]byte, error) {
	for {
		line, err := l.readLine()
		if err != nil || len(bytes.TrimSpace(line)) > 0 {
			return line, err
		}
	}
}

// readLine returns the next line, without its end. It holds maxLine bytes of it at most.
func (l *lineReader) readLine() ([]byte, error) {
	l.line = l.line[:0]
	long := false
	for {
		part, err := l.in.ReadSlice('\n')
		l.size += int64(len(part))
		if long = long || len(l.line)+len(part) > maxLine; !long {
			l.line = append(l.line, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && (len(l.line) > 0 || long), err == nil:
		default:
			return nil, err
		}
		if long {
			return nil, errLongLine
		}
		return bytes.TrimSuffix(bytes.TrimSuffix(l.line, []byte("\n")), []byte("\r")), nil
	}
}

// nextObject returns the next JSON object, whatever white space is before it. It checks no more of the grammar than
// where the object ends, and holds maxLine bytes of it at most. Errors: io.EOF if there is only white space,
// errNotJSON, errLongLine for a longer one, those of the bucket's object.
func (l *lineReader) nextObject() ([]byte, error) {
	l.line = l.line[:0]
	var end objectEnd
	for long := false; ; {
		b, err := l.in.ReadByte()
		if err == io.EOF && end.depth > 0 {
			return nil, errNotJSON
		}
		if err != nil {
			return nil, err
		}
		l.size++
		switch {
		case end.depth > 0:
		case b == ' ', b == '\t', b == '\n', b == '\r':
			continue
		case b != '{':
			return nil, errNotJSON
		}
		if long = long || len(l.line) == maxLine; !long {
			l.line = append(l.line, b)
		}
		if !end.is(b) {
			continue
		}
		if long {
			return nil, errLongLine
		}
		return l.line, nil
	}
}

// objectEnd finds the end of a JSON object.
type objectEnd struct {
	depth            int // open brackets
	inString, escape bool
}

// is reports whether the object ends with its next byte.
func (e *objectEnd) is(b byte) bool {
	switch {
	case e.escape:
		e.escape = false
	case e.inString:
		e.escape, e.inString = b == '\\', b != '"'
	case b == '"':
		e.inString = true
	case b == '{', b == '[':
		e.depth++
	case b == '}', b == ']':
		e.depth--
		return e.depth == 0
	}
	return false
}
